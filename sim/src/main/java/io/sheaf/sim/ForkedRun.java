package io.sheaf.sim;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Lookahead;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import org.jspecify.annotations.Nullable;

/**
 * The simulation of a forked run, one instant per step.
 *
 * <p>An instant counts as one unit of effort. A queried job counts as the number of tasks and queued jobs, divided by a constant, which approximates
 * the cost of an estimate and its schedule.
 */
final class ForkedRun implements Lookahead.Simulation {
    private static final long SIZE_OF_ONE = 25;

    private final Manager manager;
    private final SimulatedQueue queue;
    private final WorkflowSimulation simulation;
    private final long until;
    private final AskedEstimator estimator;
    private boolean begun;
    private boolean ended;
    private long end = Decision.NEVER;

    /**
     * Begins.
     *
     * @param queue with the run's jobs in it; the simulation owns it
     * @param manager a fork, which the simulation owns
     * @param until the simulation ends after this instant
     * @param estimator the manager's
     */
    ForkedRun(SimulatedQueue queue, Manager manager, SimulationSetup setup, long until, AskedEstimator estimator) {
        this.queue = queue;
        this.manager = manager;
        this.until = until;
        this.estimator = estimator;
        simulation = WorkflowSimulation.forked(queue, manager, setup);
    }

    @Override
    public long step() {
        if (ended) {
            return 0;
        }
        // If the strategy throws an exception the simulation has ended, too.
        ended = true;
        if (!begun) {
            begun = true;
            simulation.resume(manager);
        } else if (manager.isOver()) {
            end = simulation.end(manager);
            return 0;
        } else if (simulation.next() > until || simulation.isStuck()) {
            return 0;
        } else {
            simulation.instant(simulation.next());
        }
        ended = false;
        int size = manager.workflow().size() + queue.engine().queued();
        return 1 + estimator.takeQuestions() * size / SIZE_OF_ONE;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public @Nullable Request firstRequest() {
        return simulation.firstRequest();
    }
}
