package io.sheaf.sim;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.StartEstimator;
import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;

/** The futures of one run, which are the same whenever they are looked into; by one thread at a time. */
public final class ThoughtFutures {
    private static final long DAY = 86_400_000;
    private static final int TIMES = 3;

    /** Decides nothing: a copy of a manager is kept to be copied only. */
    private static final Strategy NOBODY = new Strategy() {
        @Override
        public String name() {
            return "nobody";
        }

        @Override
        public Decision decide(View view, Memo memo, StartEstimator estimator, Considered considered) {
            return Decision.nothing(memo);
        }
    };

    private final SimulationSetup setup;
    private final DrawnOthers others;

    /**
     * The futures of a run that begins at an instant; keyed by the run and the purpose. Arrivals are drawn for some days and some times as long as the workflow takes by
     * itself.
     */
    public ThoughtFutures(long start, Workflow workflow, SimulationSetup setup) {
        this.setup = setup;
        RandomStream random = new RandomStream(start).split(workflow.name()).split("futures");
        others = new DrawnOthers(random, TIMES * (DAY + workflow.criticalPathMicros() / 1000));
    }

    /**
     * A moment of the run that stays what it is while they go on.
     *
     * @param nanos how long it may be looked at, of wall time from the first look on
     */
    public Futures.Moment copied(KnownQueue queue, Manager manager, long nanos) {
        KnownQueue copy = queue.fork();
        Manager still = manager.fork(NOBODY, Memo.NONE, new EngineEstimator(copy.engine()));
        return new ThoughtMoment(copy, still, setup, others, nanos);
    }
}
