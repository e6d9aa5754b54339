package io.sheaf.predict;

/** Multiplies the waits of another estimator by {@linkplain WaitFactors learnt factors}. */
public record CorrectedEstimator(StartEstimator estimator, WaitFactors factors) implements StartEstimator {
    /** Corrects queued jobs like the first new job; without a new job their estimates stay unchanged. */
    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        estimator.estimate(query, answer);
        answer.basis(basis());
        double queuedFactor = query.jobs() > 0 ? factors.factor(query.units(0)) : 1;
        for (int i = 0; i < query.queued(); i++) {
            answer.queued(i, corrected(query.now(), answer.queued(i), queuedFactor));
        }
        int last = -1;
        double factor = 1;
        for (int i = 0; i < answer.answered(); i++) {
            if (query.units(i) != last) {
                last = query.units(i);
                factor = factors.factor(last);
            }
            answer.job(i, corrected(query.now(), answer.job(i), factor));
        }
    }

    private static long corrected(long now, long start, double factor) {
        return start == StartTimes.NEVER ? start : now + Math.round((start - now) * factor);
    }

    @Override
    public Basis basis() {
        return Basis.LEARNED;
    }
}
