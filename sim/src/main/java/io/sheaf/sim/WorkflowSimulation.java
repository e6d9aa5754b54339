package io.sheaf.sim;

import static io.sheaf.batch.BatchScheduler.NEVER;

import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workflow through a simulated queue: the manager and the strategy are those of real runs; the batch system, the tasks and
 * the clock are simulated.
 *
 * <p>An instant is played in the micro-steps of {@link SimulatedQueue}: ends of background jobs, then of our tasks (a placeholder with nothing
 * left to do ends with its last task); kills; arrivals; then the manager settles and its orders are carried out; then a pass. What starts
 * leads to a further round at the same instant, until nothing more happens. Reports reach the manager at once, and once.
 */
public final class WorkflowSimulation {
    /** A strategy that submits and withdraws without end would keep an instant going for ever. */
    private static final int MOST_ROUNDS = 10_000;

    /** How a run is set up. */
    public record Setup(Profile profile, int coresPerNode, int cap, TaskTimes taskTimes, boolean recording) {}

    /** A placeholder in the batch system: our token, its handle. */
    private record Job(long token, int handle) {}

    private final SimulatedQueue queue;
    private final Workflow workflow;
    private final Setup setup;
    private final SimulatedQueue.Reports others;
    private final long start;
    private final Manager manager;
    private final RunBook book;
    private final InstantHeap taskEnds = new InstantHeap();
    private final Submission submission = new Submission();
    private final Map<Long, Job> jobs = new HashMap<>();
    private final Map<Integer, Job> byHandle = new HashMap<>();
    private final ArrayDeque<Event> reports = new ArrayDeque<>();
    private final Out out = new Out();
    private final In in = new In();
    private long wakeAt = NEVER;
    private long sequence;
    private boolean askedAnything;

    private WorkflowSimulation(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            Setup setup,
            Considered considered,
            SimulatedQueue.Reports others) {
        this.queue = queue;
        this.start = start;
        this.others = others;
        this.workflow = workflow;
        this.setup = setup;
        book = new RunBook(workflow, start, setup.coresPerNode(), setup.recording());
        manager = new Manager(
                workflow,
                setup.profile().runOrder()::ranks,
                strategy,
                new EngineEstimator(queue.engine()),
                considered,
                queue.engine().capacity(),
                setup.coresPerNode(),
                setup.cap());
    }

    /** Runs the workflow from the queue's present instant on; the queue is played on and is no longer what it was. */
    public static SimulatedRun run(
            SimulatedQueue queue, Workflow workflow, Strategy strategy, Setup setup, Considered considered) {
        return run(queue, queue.now(), workflow, strategy, setup, considered, BackgroundReports.UNHEARD);
    }

    /**
     * The same from a start on that the queue has not reached yet, with nothing to happen before it; tells what happens to everybody else's
     * jobs, e.g. to a {@link BackgroundCost}.
     */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            Setup setup,
            Considered considered,
            SimulatedQueue.Reports others) {
        WorkflowSimulation simulation =
                new WorkflowSimulation(queue, start, workflow, strategy, setup, considered, others);
        simulation.play();
        return simulation.book.close(simulation.manager);
    }

    private void play() {
        instant(start);
        while (!manager.isOver() || queue.ownJobs() > 0) {
            long next = Math.min(Math.min(queue.next(), taskEnds.first()), wakeAt);
            boolean nothingOfOurs = queue.ownJobs() == 0 && wakeAt == NEVER;
            if (next == NEVER || nothingOfOurs) {
                // The strategy has nothing in the system and wants nothing: the run is stuck.
                return;
            }
            instant(next);
        }
    }

    private void instant(long at) {
        queue.ends(at, in);
        while (taskEnds.first() == at) {
            taskEnded(at, taskEnds.firstTie(), taskEnds.remove());
        }
        queue.kills(in);
        deliver();
        queue.arrivals(in);
        if (wakeAt <= at) {
            wakeAt = NEVER;
            manager.on(new Event.Woken(at), out);
        }
        rounds(at);
    }

    /** Settles and passes until nothing more happens at this instant. */
    private void rounds(long at) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            askedAnything = false;
            manager.settle(at, out);
            deliver();
            if (!askedAnything && round > 0) {
                return;
            }
            queue.pass(in);
            if (!askedAnything && reports.isEmpty()) {
                return;
            }
            deliver();
        }
        throw new IllegalStateException("the strategy does not come to rest at instant " + at);
    }

    private void deliver() {
        while (!reports.isEmpty()) {
            manager.on(reports.remove(), out);
        }
    }

    private void taskEnded(long at, long tie, int task) {
        int attempt = book.attempt(task);
        // An end that was foreseen before the attempt was cut off, and another one made, is not this attempt's.
        if (attempt > 0 && book.sequence(task) == tie) {
            long token = book.token(task);
            book.taskEnded(task, at);
            manager.on(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.SUCCEEDED), out);
        }
    }

    /** Carries out what the manager wants. */
    private final class Out implements Effects {
        @Override
        public void submit(long token, Request request) {
            askedAnything = true;
            submission.size(request.units(), request.walltime());
            if (request.notBefore() != Request.AT_ONCE) {
                submission.notBefore(request.notBefore());
            }
            Job before = jobs.get(request.afterToken());
            if (before != null) {
                submission.reservingAfter(before.handle);
            }
            int handle = queue.submit(submission);
            if (handle < 0) {
                reports.add(new Event.Refused(queue.now(), token, "the cluster does not take it"));
                return;
            }
            Job job = new Job(token, handle);
            jobs.put(token, job);
            byHandle.put(handle, job);
            book.submitted(token, request, queue.now());
            reports.add(new Event.Accepted(queue.now(), token));
        }

        @Override
        public void withdraw(long token) {
            Job job = leave(token);
            if (job != null) {
                queue.withdraw(job.handle);
                book.ended(token, queue.now(), false);
                reports.add(new Event.Ended(queue.now(), token, Event.End.WITHDRAWN));
            }
        }

        @Override
        public void release(long token) {
            Job job = leave(token);
            if (job != null) {
                queue.complete(job.handle);
                book.ended(token, queue.now(), false);
                reports.add(new Event.Ended(queue.now(), token, Event.End.RELEASED));
            }
        }

        @Override
        public void shorten(long token, long walltime) {
            Job job = jobs.get(token);
            if (job != null) {
                askedAnything = true;
                queue.shorten(job.handle, walltime);
            }
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            long tie = sequence++;
            book.taskStarted(token, nodes[0], task, attempt, tie, queue.now());
            taskEnds.add(queue.now() + setup.taskTimes().millis(workflow, task, attempt), tie, task);
            askedAnything = true;
        }

        @Override
        public void stop(long token, int task, int attempt) {
            throw new IllegalStateException("reports come at once, so no attempt is made beside another");
        }

        @Override
        public void wake(long at) {
            wakeAt = Math.max(at, queue.now() + 1);
        }
    }

    private @Nullable Job leave(long token) {
        Job job = jobs.remove(token);
        if (job != null) {
            byHandle.remove(job.handle);
            askedAnything = true;
        }
        return job;
    }

    /** Hears what the queue does with our jobs. */
    private final class In implements SimulatedQueue.Reports {
        @Override
        public void started(int handle) {
            Job job = byHandle.get(handle);
            if (job != null) {
                book.started(job.token, queue.now());
                reports.add(new Event.Started(queue.now(), job.token));
            }
        }

        @Override
        public void backgroundStarted(int job, long at) {
            others.backgroundStarted(job, at);
        }

        @Override
        public void backgroundLeft(int job, long at, Outcome outcome) {
            others.backgroundLeft(job, at, outcome);
        }

        @Override
        public void expired(int handle) {
            Job job = byHandle.remove(handle);
            if (job != null) {
                jobs.remove(job.token);
                book.ended(job.token, queue.now(), true);
                reports.add(new Event.Ended(queue.now(), job.token, Event.End.EXPIRED));
            }
        }
    }
}
