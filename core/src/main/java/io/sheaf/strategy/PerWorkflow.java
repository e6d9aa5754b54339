package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;

/**
 * A strategy that is created again whenever its workflow grows or task times change. The manager keeps its memo.
 *
 * @param strategy for the present workflow
 */
public record PerWorkflow(Maker maker, Strategy strategy) implements Strategy {
    /** Creates the strategy for a workflow. */
    @FunctionalInterface
    public interface Maker {
        Strategy of(Workflow workflow);
    }

    public static PerWorkflow of(Workflow workflow, Maker maker) {
        return new PerWorkflow(maker, maker.of(workflow));
    }

    @Override
    public Strategy forWorkflow(Workflow changed) {
        return of(changed, maker);
    }

    @Override
    public String name() {
        return strategy.name();
    }

    @Override
    public boolean usesLearntStarts() {
        return strategy.usesLearntStarts();
    }

    @Override
    public Memo memo(String text) {
        return strategy.memo(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        return strategy.decide(view, memo, estimator, sink);
    }
}
