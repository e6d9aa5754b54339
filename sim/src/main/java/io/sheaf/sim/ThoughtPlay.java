package io.sheaf.sim;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Futures;
import io.sheaf.manager.Manager;
import java.util.function.BooleanSupplier;

/**
 * A run that is played on in thought, an instant at each step.
 *
 * <p>An instant counts as one of effort. A job that the strategy asks about counts as so much as there are tasks and queued jobs, divided: that is what an estimate, and the schedule that it is for, take.
 */
final class ThoughtPlay implements Futures.Play {
    private static final long SIZE_OF_ONE = 25;

    private final Manager manager;
    private final SimulatedQueue queue;
    private final WorkflowSimulation simulation;
    private final long until;
    private final AskedEstimator estimator;
    private final BooleanSupplier outOfTime;
    private boolean begun;
    private boolean over;
    private long end = Decision.NEVER;

    /**
     * Begins.
     *
     * @param queue with the run's jobs in it; it is played on
     * @param manager a fork, which nobody else tells anything
     * @param until when it is no longer of interest
     * @param estimator the manager's
     * @param outOfTime whether to break off
     */
    ThoughtPlay(
            SimulatedQueue queue,
            Manager manager,
            SimulationSetup setup,
            long until,
            AskedEstimator estimator,
            BooleanSupplier outOfTime) {
        this.queue = queue;
        this.manager = manager;
        this.until = until;
        this.estimator = estimator;
        this.outOfTime = outOfTime;
        simulation = WorkflowSimulation.inThought(queue, manager, setup);
    }

    @Override
    public long goOn() {
        if (over) {
            return 0;
        }
        try {
            return step();
        } catch (RuntimeException e) {
            // A strategy that fails in thought is none to go on with, and no reason to end the run.
            over = true;
            return 0;
        }
    }

    private long step() {
        if (!begun) {
            begun = true;
            simulation.goOn(manager);
        } else if (manager.isOver()) {
            over = true;
            end = simulation.end(manager);
            return 0;
        } else if (simulation.next() > until || simulation.isStuck() || outOfTime.getAsBoolean()) {
            over = true;
            return 0;
        } else {
            simulation.instant(simulation.next());
        }
        return 1
                + estimator.takeQuestions()
                        * (manager.workflow().size() + queue.engine().queued())
                        / SIZE_OF_ONE;
    }

    @Override
    public long end() {
        return end;
    }
}
