package io.sheaf.strategy;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Workflow;

/**
 * A strategy that is made anew whenever the workflow is another one than it was made for.
 *
 * <p>Strategies keep what they know of a workflow's run times; a workflow that has grown, or whose tasks take another time than was thought, has
 * others. What they remember is in the memo, which outlives them.
 */
public final class Renewed implements Strategy {
    /** Makes the strategy for a workflow. */
    @FunctionalInterface
    public interface Maker {
        Strategy of(Workflow workflow);
    }

    private final Maker maker;
    private Workflow workflow;
    private Strategy strategy;

    /** The strategy for a workflow that has not changed yet. */
    public Renewed(Workflow workflow, Maker maker) {
        this.maker = maker;
        this.workflow = workflow;
        strategy = maker.of(workflow);
    }

    @Override
    public String name() {
        return strategy.name();
    }

    @Override
    public Strategy foreseeing(Futures futures) {
        return new Renewed(workflow, each -> maker.of(each).foreseeing(futures));
    }

    @Override
    public boolean wantsLikelyStarts() {
        return strategy.wantsLikelyStarts();
    }

    @Override
    public Memo memo(String text) {
        return strategy.memo(text);
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, Considered considered) {
        if (view.workflow() != workflow) {
            workflow = view.workflow();
            strategy = maker.of(workflow);
        }
        return strategy.decide(view, memo, estimator, considered);
    }
}
