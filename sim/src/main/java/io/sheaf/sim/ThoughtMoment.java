package io.sheaf.sim;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import java.util.HashMap;
import java.util.Map;

/** A run at an instant, which is played on in thought as often as wished: by a fork of its manager in a fork of its queue, with others as drawn and tasks as expected. */
final class ThoughtMoment implements Futures.Moment {
    private final KnownQueue queue;
    private final Manager manager;
    private final WorkflowSimulation.Setup setup;
    private final DrawnOthers others;
    private final Map<Integer, SimulatedQueue> drawn = new HashMap<>();

    ThoughtMoment(KnownQueue queue, Manager manager, WorkflowSimulation.Setup setup, DrawnOthers others) {
        this.queue = queue;
        this.manager = manager;
        this.others = others;
        this.setup = new WorkflowSimulation.Setup(
                        setup.profile(), setup.coresPerNode(), setup.cap(), TaskTimes.AS_EXPECTED, false)
                .with(setup.dependencies())
                .estimating(setup.estimates());
    }

    @Override
    public long end(Strategy strategy, Memo memo, int future, long until) {
        SimulatedQueue thought =
                drawn.computeIfAbsent(future, each -> others.queue(queue, each)).fork();
        EngineEstimator estimator = new EngineEstimator(thought.engine(), thought::handle);
        Manager fork = manager.fork(strategy, memo, setup.estimates().apply(estimator));
        try {
            return WorkflowSimulation.playOn(thought, fork, setup, until);
        } catch (RuntimeException e) {
            // A strategy that fails in thought is none to go on with, and no reason to end the run.
            return Decision.NEVER;
        }
    }
}
