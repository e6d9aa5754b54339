package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.manager.RunController;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.predict.WaitObservation;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workflow through a simulated queue: the manager and the strategy are those of real runs; the batch system, the tasks and the clock are
 * simulated.
 *
 * <p>An instant consists of the micro-steps of {@link SimulatedQueue}: ends of background jobs, then of our tasks (an idle pilot job ends with its
 * last task); kills; arrivals; then the manager settles and its orders are carried out; then a pass. Starts lead to another round at the same
 * instant, until no event is left. The manager receives each event once and at once, unless there are {@link Faults}.
 */
public final class WorkflowSimulation {
    /** The maximum number of rounds at one instant, in case a strategy submits and cancels endlessly. */
    private static final int MAX_ROUNDS = 10_000;

    /** The time after which a paused run is resumed, if there are faults. */
    private static final long PAUSE = 3_600_000;

    private final SimulatedQueue queue;
    private final Workflow workflow;
    private final long start;
    private final SimulationSetup setup;
    private final RunController steering;
    private final RunLedger ledger;
    private final @Nullable InjectedFaults faults;
    private final EventDelivery post;
    private final SimulatedPilotJobs pilotJobs;
    private final SimulatedTasks tasks;
    /** The receiver of commands. */
    final SimulatedEffects out = new SimulatedEffects();

    /** The first submitted request; null if there was none. */
    @Nullable
    Request first;

    private long wakeAt = NEVER;
    private long resumeAt = NEVER;

    /** A run before its first event. */
    WorkflowSimulation(
            SimulatedQueue queue, long start, Workflow workflow, SimulationSetup setup, RunController steering) {
        this(
                queue,
                start,
                workflow,
                setup,
                BackgroundReports.IGNORED,
                steering,
                queue.engine().policy().pools());
    }

    /**
     * A run before its first event.
     *
     * @param pools of the cluster, if its preemptions happen
     */
    private WorkflowSimulation(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            SimulationSetup setup,
            SimulatedQueue.JobListener background,
            RunController steering,
            Pools pools) {
        this.queue = queue;
        this.workflow = workflow;
        this.start = start;
        this.setup = setup;
        this.steering = steering;
        ledger = new RunLedger(
                workflow, start, setup.node().cores(), queue.engine().policy().pools(), setup.recording());
        boolean none = setup.faults().isNone() && pools.all().stream().noneMatch(Pool::isPreemptible);
        faults = none ? null : new InjectedFaults(setup.faults(), pools, start);
        post = new EventDelivery(queue, steering, out, setup.faults());
        pilotJobs = new SimulatedPilotJobs(queue, setup.dependencies(), ledger, post, faults, background);
        tasks = new SimulatedTasks(queue, workflow, setup, ledger, post, faults);
    }

    static Manager manager(
            SimulatedQueue queue, Workflow workflow, Strategy strategy, SimulationSetup setup, DecisionSink sink) {
        return new Manager(
                workflow,
                setup.profile().runOrder()::ranks,
                strategy,
                setup.estimates().of(new EngineEstimator(queue.engine(), queue::handle), queue),
                sink,
                setup.nodesOf(queue),
                setup.cap(),
                setup.rulesOf(queue));
    }

    /** Runs the workflow from the queue's present instant on; the simulation changes the queue. */
    public static SimulatedRun run(
            SimulatedQueue queue, Workflow workflow, Strategy strategy, SimulationSetup setup, DecisionSink sink) {
        return run(queue, queue.now(), workflow, strategy, setup, sink);
    }

    /** The same from a start that the queue has not reached yet, without events before it. */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            SimulationSetup setup,
            DecisionSink sink) {
        return run(queue, start, workflow, strategy, setup, sink, BackgroundReports.IGNORED, null);
    }

    /**
     * The same.
     *
     * @param background receives the events of background jobs, e.g. a {@link BackgroundCost}
     * @param retiming times that the manager receives before its first decision, as in a real run; null if there are none
     */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            SimulationSetup setup,
            DecisionSink sink,
            SimulatedQueue.JobListener background,
            @Nullable RunTimeUpdate retiming) {
        Manager manager = manager(queue, workflow, strategy, setup, sink);
        manager.simulateBy(new SimulatedLookahead(queue::known, start, workflow, setup, manager));
        Pools pools = queue.engine().policy().pools();
        WorkflowSimulation simulation =
                new WorkflowSimulation(queue, start, workflow, setup, background, manager, pools);
        if (retiming != null) {
            simulation.post.report(new Event.Retimed(start, retiming));
        }
        simulation.simulate();
        return simulation.ledger.close(manager);
    }

    /**
     * The simulation of a forked run.
     *
     * @param queue with the run's jobs in it; the simulation changes it
     * @param manager a fork that receives no other events
     */
    static WorkflowSimulation forked(SimulatedQueue queue, Manager manager, SimulationSetup setup) {
        return new WorkflowSimulation(
                queue, queue.now(), manager.workflow(), setup, BackgroundReports.IGNORED, manager, Pools.NONE);
    }

    /** Continues the run of a manager, from its instant on. */
    void resume(Manager manager) {
        continueRun(manager);
        rounds(queue.now());
    }

    /** The end of the last task of a manager; {@link io.sheaf.batch.BatchEngine#NEVER} if it has not ended. */
    long end(Manager manager) {
        SimulatedRun run = ledger.close(manager);
        return run.completed() ? run.end() : NEVER;
    }

    /** Continues with the running jobs and tasks; all nodes of a fork are up. */
    private void continueRun(Manager manager) {
        pilotJobs.resume(manager);
        manager.repeat(new ResumedEffects(manager));
        pilotJobs.reportRunning();
        post.deliver();
    }

    /** Whether none of our jobs is in the system and the strategy submits none. */
    boolean isStuck() {
        boolean noOwnJobs = queue.ownJobs() == 0 && wakeAt == NEVER && resumeAt == NEVER && post.next() == NEVER;
        return next() == NEVER || noOwnJobs;
    }

    /** Simulates the run to its end. */
    void simulate() {
        instant(start);
        while (!steering.isFinished() || queue.ownJobs() > 0 || post.next() != NEVER) {
            if (isStuck() && !repeatRounds()) {
                return;
            }
            if (next() != NEVER) {
                instant(next());
            }
        }
    }

    /**
     * Repeats the rounds of the last instant if no other event is left: jobs that were released at their start leave nodes to those behind them.
     * Returns whether that had an effect.
     */
    private boolean repeatRounds() {
        int before = queue.ownJobs();
        if (before == 0) {
            return false;
        }
        rounds(queue.now());
        return next() != NEVER || queue.ownJobs() != before;
    }

    /** The instant of the next event. */
    long next() {
        long next = Math.min(Math.min(queue.next(), tasks.next()), wakeAt);
        if (faults != null) {
            next = Math.min(Math.min(next, faults.next()), Math.min(post.next(), resumeAt));
        }
        return next;
    }

    /** Simulates an instant, not beyond {@link #next}. */
    void instant(long at) {
        queue.ends(at, pilotJobs);
        if (faults != null) {
            injectFaults(faults, at);
        }
        tasks.ends(at);
        queue.kills(pilotJobs);
        post.deliver();
        queue.arrivals(pilotJobs);
        if (wakeAt <= at) {
            wakeAt = NEVER;
            post.report(new Event.Woken(at));
        }
        rounds(at);
        if (faults != null && resumeAt == NEVER && steering.paused() != null) {
            resumeAt = at + PAUSE;
        }
    }

    /** Settles and passes until no event is left at this instant. */
    void rounds(long at) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            pilotJobs.moved = false;
            tasks.moved = false;
            steering.settle(at, out);
            post.deliver();
            if (!hasMoved() && round > 0) {
                return;
            }
            queue.pass(pilotJobs);
            if (!hasMoved() && post.isEmpty()) {
                return;
            }
            post.deliver();
        }
        throw new IllegalStateException("the strategy does not stop deciding at instant " + at);
    }

    private boolean hasMoved() {
        return pilotJobs.moved || tasks.moved;
    }

    /** Applies losses of pilot jobs and nodes, and resumes a paused run. */
    private void injectFaults(InjectedFaults faults, long at) {
        for (InjectedFaults.InjectedFault lost = faults.happen(at); lost != null; lost = faults.happen(at)) {
            if (lost.node() == InjectedFaults.ALL) {
                pilotJobs.end(lost.token(), lost.end());
            } else if (pilotJobs.has(lost.token())) {
                tasks.nodeLost(faults, lost.token(), lost.node(), at);
            }
        }
        if (resumeAt <= at) {
            resumeAt = NEVER;
            post.report(new Event.Resumed(at));
        }
    }

    /** Carries out the commands of the manager. */
    class SimulatedEffects implements Effects {
        @Override
        public final void submit(long token, Request request) {
            first = first == null ? request : first;
            pilotJobs.submit(token, request);
        }

        @Override
        public final void cancel(long token) {
            pilotJobs.end(token, Event.End.CANCELLED);
        }

        @Override
        public final void release(long token) {
            pilotJobs.end(token, Event.End.RELEASED);
        }

        @Override
        public final void shorten(long token, long walltime) {
            pilotJobs.shorten(token, walltime);
        }

        @Override
        public final void start(long token, int[] nodes, int task, int attempt) {
            start(token, nodes, workflow.resources(task), task, attempt);
        }

        @Override
        public void start(long token, int[] nodes, Resources needs, int task, int attempt) {
            if (pilotJobs.has(token)) {
                tasks.start(token, nodes, needs, task, attempt);
            }
        }

        @Override
        public final void stop(long token, int task, int attempt) {
            tasks.stop(token, task, attempt);
        }

        @Override
        public final void wake(long at) {
            wakeAt = Math.max(at, queue.now());
        }

        @Override
        public final void learn(WaitObservation observation) {
            setup.learner().learn(observation);
        }
    }

    /** The same for a manager with earlier attempts: running attempts started earlier. */
    private final class ResumedEffects extends SimulatedEffects {
        private final Manager manager;

        ResumedEffects(Manager manager) {
            this.manager = manager;
        }

        @Override
        public void start(long token, int[] nodes, Resources needs, int task, int attempt) {
            if (pilotJobs.has(token)) {
                tasks.resume(token, nodes, needs, task, attempt, manager.startedAt(task));
            }
        }
    }
}
