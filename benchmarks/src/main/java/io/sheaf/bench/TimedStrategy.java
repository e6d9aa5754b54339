package io.sheaf.bench;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;

/** A strategy whose decisions are measured, in processor time of the thread. */
record TimedStrategy(Strategy measured, DecisionTimes times) implements Strategy {
    /** Receives each decision. */
    @FunctionalInterface
    interface DecisionTimes {
        void decided(Memo before, Decision decision, long nanos);
    }

    @Override
    public String name() {
        return measured.name();
    }

    @Override
    public boolean usesLearntStarts() {
        return measured.usesLearntStarts();
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink considered) {
        long begin = Measure.cpu();
        Decision decision = measured.decide(view, memo, estimator, considered);
        times.decided(memo, decision, Measure.cpu() - begin);
        return decision;
    }
}
