package io.sheaf.sim;

import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.random.RandomStream;
import io.sheaf.workflow.Workflow;

/** Forks a run at any instant; the drawn futures of all forks are the same. For one thread at a time. */
public final class RunForks {
    private static final long DAY = 86_400_000;
    private static final int TIMES = 3;

    private final SimulationSetup setup;
    private final SampledBackground others;

    /**
     * For a run that begins at an instant; futures are keyed by the instant and the workflow. Arrivals are drawn for three days and three times the critical path.
     */
    public RunForks(long start, Workflow workflow, SimulationSetup setup) {
        this.setup = setup;
        RandomStream random = new RandomStream(start).split(workflow.name()).split("futures");
        others = new SampledBackground(random, TIMES * (DAY + workflow.criticalPathMicros() / 1000));
    }

    /** A fork that stays as it is while the run and the queue go on. */
    public Lookahead.Fork fork(KnownQueue queue, Manager manager) {
        return new RunFork(queue.fork(), manager.fork(), setup, others);
    }
}
