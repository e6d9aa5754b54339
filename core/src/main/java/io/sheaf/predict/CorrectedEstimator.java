package io.sheaf.predict;

/** Another estimator's answers, with the waits multiplied by what was {@linkplain WaitFactors learnt}. */
public final class CorrectedEstimator implements Estimator {
    private final Estimator asked;
    private final WaitFactors factors;

    public CorrectedEstimator(Estimator asked, WaitFactors factors) {
        this.asked = asked;
        this.factors = factors;
    }

    @Override
    public void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        asked.starts(now, pool, units, walltime, count, out);
        int last = -1;
        double factor = 1;
        for (int i = 0; i < count; i++) {
            if (units[i] != last) {
                last = units[i];
                factor = factors.factor(last);
            }
            if (out[i] != Long.MAX_VALUE) {
                out[i] = now + Math.round((out[i] - now) * factor);
            }
        }
    }

    /** All are corrected like the new one, whose start is compared with theirs; without one they are left as they are. */
    @Override
    public void together(long now, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        asked.together(now, tokens, count, pool, units, walltime, out);
        correct(now, count, units, out);
    }

    @Override
    public void without(
            long now, long cancelled, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        asked.without(now, cancelled, tokens, count, pool, units, walltime, out);
        correct(now, count, units, out);
    }

    private void correct(long now, int count, int units, long[] out) {
        double factor = units > 0 ? factors.factor(units) : 1;
        for (int i = 0; i <= count; i++) {
            if (out[i] != Long.MAX_VALUE) {
                out[i] = now + Math.round((out[i] - now) * factor);
            }
        }
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }
}
