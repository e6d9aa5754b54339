package io.sheaf.sim;

import io.sheaf.predict.Estimator;

/** Counts what another estimator is asked: whoever thinks hard asks much. */
final class AskedEstimator implements Estimator {
    private final Estimator asked;
    private long questions;

    AskedEstimator(Estimator asked) {
        this.asked = asked;
    }

    /** For how many jobs it was asked since this was last looked at. */
    long takeQuestions() {
        long taken = questions;
        questions = 0;
        return taken;
    }

    @Override
    public void starts(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        questions += count;
        asked.starts(now, pool, units, walltime, count, out);
    }

    @Override
    public int inTurn(long now, int pool, int[] units, long[] walltime, int count, long[] out) {
        questions += count;
        return asked.inTurn(now, pool, units, walltime, count, out);
    }

    @Override
    public void together(long now, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        questions++;
        asked.together(now, tokens, count, pool, units, walltime, out);
    }

    @Override
    public void without(
            long now, long cancelled, long[] tokens, int count, int pool, int units, long walltime, long[] out) {
        questions++;
        asked.without(now, cancelled, tokens, count, pool, units, walltime, out);
    }

    @Override
    public Basis basis() {
        return asked.basis();
    }
}
