package io.sheaf.sim;

import static io.sheaf.batch.BatchScheduler.NEVER;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.Lesson;
import io.sheaf.predict.Retiming;
import io.sheaf.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workflow through a simulated queue: the manager and the strategy are those of real runs; the batch system, the tasks and
 * the clock are simulated.
 *
 * <p>An instant is played in the micro-steps of {@link SimulatedQueue}: ends of background jobs, then of our tasks (a pilot job with nothing
 * left to do ends with its last task); kills; arrivals; then the manager settles and its orders are carried out; then a pass. What starts
 * leads to a further round at the same instant, until nothing more happens. Reports reach the manager at once, and once, unless there are
 * {@link Faults}.
 */
public final class WorkflowSimulation {
    /** A strategy that submits and cancels without end would keep an instant going for ever. */
    private static final int MOST_ROUNDS = 10_000;

    /** How long a run stays paused until somebody looks at it, where faults are to be expected. */
    private static final long PAUSE = 3_600_000;

    private final SimulatedQueue queue;
    private final long start;
    private final SimulationSetup setup;
    private final Steering steering;
    private final RunBook book;
    private final @Nullable Mishaps mishaps;
    private final RunPost post;
    private final SimulatedPilotJobs pilotJobs;
    private final SimulatedTasks tasks;
    private final Out out = new Out();
    private @Nullable Request first;
    private long wakeAt = NEVER;
    private long resumeAt = NEVER;

    /** A run that has not begun. */
    WorkflowSimulation(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            SimulationSetup setup,
            SimulatedQueue.Reports others,
            Steering steering) {
        this.queue = queue;
        this.start = start;
        this.setup = setup;
        this.steering = steering;
        book = new RunBook(workflow, start, setup.coresPerNode(), setup.recording());
        mishaps = setup.faults().isNone() ? null : new Mishaps(setup.faults());
        post = new RunPost(queue, steering, out, setup.faults());
        pilotJobs = new SimulatedPilotJobs(queue, setup.dependencies(), book, post, mishaps, others);
        tasks = new SimulatedTasks(queue, workflow, setup, book, post, mishaps);
    }

    /** The manager of a run in a queue. */
    static Manager manager(
            SimulatedQueue queue, Workflow workflow, Strategy strategy, SimulationSetup setup, Considered considered) {
        return new Manager(
                workflow,
                setup.profile().runOrder()::ranks,
                strategy,
                setup.estimates().of(new EngineEstimator(queue.engine(), queue::handle), queue),
                considered,
                setup.nodesOf(queue),
                setup.coresPerNode(),
                setup.cap(),
                setup.rules());
    }

    /** Runs the workflow from the queue's present instant on; the queue is played on and is no longer what it was. */
    public static SimulatedRun run(
            SimulatedQueue queue, Workflow workflow, Strategy strategy, SimulationSetup setup, Considered considered) {
        return run(queue, queue.now(), workflow, strategy, setup, considered);
    }

    /** The same from a start on that the queue has not reached yet, with nothing to happen before it. */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            SimulationSetup setup,
            Considered considered) {
        return run(queue, start, workflow, strategy, setup, considered, BackgroundReports.UNHEARD);
    }

    /** The same; tells what happens to everybody else's jobs, e.g. to a {@link BackgroundCost}. */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            SimulationSetup setup,
            Considered considered,
            SimulatedQueue.Reports others) {
        return run(queue, start, workflow, strategy, setup, considered, others, null);
    }

    /**
     * The same for a run that begins as a real one did.
     *
     * @param told times that the manager is told before it decides anything; null if it is not
     */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            SimulationSetup setup,
            Considered considered,
            @Nullable Retiming told) {
        return run(queue, start, workflow, strategy, setup, considered, BackgroundReports.UNHEARD, told);
    }

    private static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            SimulationSetup setup,
            Considered considered,
            SimulatedQueue.Reports others,
            @Nullable Retiming told) {
        Manager manager = manager(queue, workflow, strategy, setup, considered);
        manager.simulateBy(new SimulatedLookahead(queue::known, start, workflow, setup, manager));
        WorkflowSimulation simulation =
                new WorkflowSimulation(queue, start, workflow, setup, others, Steering.by(manager));
        if (told != null) {
            simulation.post.tell(new Event.Retimed(start, told));
        }
        simulation.play();
        return simulation.book.close(manager);
    }

    /**
     * A run that is to be played on in thought.
     *
     * @param queue with the run's jobs in it; it is played on
     * @param manager a fork, which nobody else tells anything
     */
    static WorkflowSimulation forked(SimulatedQueue queue, Manager manager, SimulationSetup setup) {
        return new WorkflowSimulation(
                queue, queue.now(), manager.workflow(), setup, BackgroundReports.UNHEARD, Steering.by(manager));
    }

    /** Continues the run of a manager, from its instant on. */
    void resume(Manager manager) {
        takeOver(manager);
        rounds(queue.now());
    }

    /** When the last task of what a manager had to do ended; {@link io.sheaf.batch.BatchScheduler#NEVER} if it has not. */
    long end(Manager manager) {
        SimulatedRun run = book.close(manager);
        return run.completed() ? run.end() : NEVER;
    }

    /** Goes on with the jobs and tasks that are there; in thought all their nodes are there too. */
    private void takeOver(Manager manager) {
        pilotJobs.takeOver(manager);
        manager.repeat(new Resumed(manager));
        pilotJobs.reportRunning();
        post.deliver();
    }

    /** The first request that was submitted; null if there was none so far. */
    @Nullable
    Request firstRequest() {
        return first;
    }

    /** Whether nothing of ours is there and the strategy wants nothing. */
    boolean isStuck() {
        boolean nothingOfOurs = queue.ownJobs() == 0 && wakeAt == NEVER && resumeAt == NEVER && post.next() == NEVER;
        return next() == NEVER || nothingOfOurs;
    }

    /** Plays the run to its end. */
    void play() {
        instant(start);
        while (!steering.isOver() || queue.ownJobs() > 0 || post.next() != NEVER) {
            if (isStuck()) {
                return;
            }
            instant(next());
        }
    }

    /** The next instant at which anything happens. */
    long next() {
        long next = Math.min(Math.min(queue.next(), tasks.next()), wakeAt);
        if (mishaps != null) {
            next = Math.min(Math.min(next, mishaps.next()), Math.min(post.next(), resumeAt));
        }
        return next;
    }

    /** Plays an instant, not beyond {@link #next}. */
    void instant(long at) {
        queue.ends(at, pilotJobs);
        if (mishaps != null) {
            suffer(mishaps, at);
        }
        tasks.ends(at);
        queue.kills(pilotJobs);
        post.deliver();
        queue.arrivals(pilotJobs);
        if (wakeAt <= at) {
            wakeAt = NEVER;
            post.tell(new Event.Woken(at));
        }
        rounds(at);
        if (mishaps != null && resumeAt == NEVER && steering.paused() != null) {
            resumeAt = at + PAUSE;
        }
    }

    /** What is told to do. */
    Effects effects() {
        return out;
    }

    /** Settles and passes until nothing more happens at this instant. */
    void rounds(long at) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            pilotJobs.rest();
            tasks.rest();
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
        throw new IllegalStateException("the strategy does not come to rest at instant " + at);
    }

    private boolean hasMoved() {
        return pilotJobs.hasMoved() || tasks.hasMoved();
    }

    /** Pilot jobs and nodes get lost; somebody looks at a run that has paused. */
    private void suffer(Mishaps happening, long at) {
        for (Mishaps.Mishap lost = happening.happen(at); lost != null; lost = happening.happen(at)) {
            if (lost.node() == Mishaps.ALL) {
                pilotJobs.end(lost.token(), Event.End.LOST);
            } else if (pilotJobs.has(lost.token())) {
                tasks.nodeLost(happening, lost.token(), lost.node(), at);
            }
        }
        if (resumeAt <= at) {
            resumeAt = NEVER;
            post.tell(new Event.Resumed(at));
        }
    }

    /** Carries out what the manager wants. */
    private class Out implements Effects {
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
        public void start(long token, int[] nodes, int task, int attempt) {
            if (pilotJobs.has(token)) {
                tasks.start(token, nodes, task, attempt);
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
        public final void learn(Lesson lesson) {
            setup.learner().learn(lesson);
        }
    }

    /** The same for a manager that was in charge before: attempts that run began earlier. */
    private final class Resumed extends Out {
        private final Manager manager;

        Resumed(Manager manager) {
            this.manager = manager;
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            if (pilotJobs.has(token)) {
                tasks.goOn(token, nodes, task, attempt, manager.startedAt(task));
            }
        }
    }
}
