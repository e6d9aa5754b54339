package io.sheaf.sim;

import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Memo;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import java.util.HashMap;
import java.util.Map;

/** A copy of a run and its queue, from which simulations begin, with drawn background jobs and tasks that take as long as expected. For one thread at a time. */
final class RunFork implements Lookahead.Fork {
    private final KnownQueue queue;
    private final Manager manager;
    private final SimulationSetup setup;
    private final SampledBackground others;
    private final Map<Integer, SimulatedQueue> drawn = new HashMap<>();

    /** The queue and the manager are forks that nothing else changes. */
    RunFork(KnownQueue queue, Manager manager, SimulationSetup setup, SampledBackground others) {
        this.queue = queue;
        this.manager = manager;
        this.others = others;
        this.setup = new SimulationSetup(
                        setup.profile(), setup.coresPerNode(), setup.cap(), TaskTimes.AS_EXPECTED, false)
                .with(setup.dependencies());
    }

    @Override
    public Lookahead.Simulation simulate(Strategy strategy, Memo memo, int future, long until) {
        SimulatedQueue forked = drawn.computeIfAbsent(future, this::drawn).fork();
        AskedEstimator estimator = new AskedEstimator(new EngineEstimator(forked.engine(), forked::handle));
        return new ForkedRun(forked, manager.fork(strategy, memo, estimator), setup, until, estimator);
    }

    /** The queue in a future, with all pilot jobs in it: the known queue may be older than their submission. */
    private SimulatedQueue drawn(int future) {
        SimulatedQueue simulated = others.queue(queue, future);
        for (int i = 0; i < manager.pilotJobs(); i++) {
            PilotJob p = manager.pilotJob(i);
            if (simulated.handle(p.token()) < 0 && !p.isEnding()) {
                simulated.enter(p.token(), p.request(), p.isRunning() ? p.startedAt() : SimulatedQueue.QUEUED);
            }
        }
        return simulated;
    }
}
