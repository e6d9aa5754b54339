package io.sheaf.sim;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;

/** Counts the queries to another estimator, as a measure of effort. */
final class AskedEstimator implements StartEstimator {
    private final StartEstimator asked;
    private long questions;

    AskedEstimator(StartEstimator asked) {
        this.asked = asked;
    }

    /** Returns the number of queried jobs since the last call. */
    long takeQuestions() {
        long taken = questions;
        questions = 0;
        return taken;
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        questions += Math.max(1, query.jobs());
        asked.estimate(query, answer);
    }

    @Override
    public Basis basis() {
        return asked.basis();
    }
}
