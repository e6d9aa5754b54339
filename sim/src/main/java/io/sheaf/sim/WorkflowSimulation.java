package io.sheaf.sim;

import static io.sheaf.batch.BatchScheduler.NEVER;

import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Considered;
import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.Request;
import io.sheaf.manager.Rules;
import io.sheaf.manager.Strategy;
import io.sheaf.predict.EngineEstimator;
import io.sheaf.predict.Estimator;
import io.sheaf.predict.Lesson;
import io.sheaf.predict.Retiming;
import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
import io.sheaf.predict.TimesInUse;
import io.sheaf.predict.WaitMemory;
import io.sheaf.strategy.Profile;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a workflow through a simulated queue: the manager and the strategy are those of real runs; the batch system, the tasks and
 * the clock are simulated.
 *
 * <p>An instant is played in the micro-steps of {@link SimulatedQueue}: ends of background jobs, then of our tasks (a placeholder with nothing
 * left to do ends with its last task); kills; arrivals; then the manager settles and its orders are carried out; then a pass. What starts
 * leads to a further round at the same instant, until nothing more happens. Reports reach the manager at once, and once, unless there are
 * {@link Faults}.
 */
public final class WorkflowSimulation {
    /** A strategy that submits and withdraws without end would keep an instant going for ever. */
    private static final int MOST_ROUNDS = 10_000;

    /** How long a run stays paused until somebody looks at it, where faults are to be expected. */
    private static final long PAUSE = 3_600_000;

    /** Where times are not known: from a minute on each more than twice as long as the one before, that is enough for a week. */
    private static final int MOST_CUT_OFFS = 12;

    /**
     * How a run is set up.
     *
     * @param learner is told what the strategy learnt
     * @param dependencies how the batch system treats a job that must wait for another
     * @param estimates what is made of the batch system's estimates before the strategy hears them
     * @param times whether run times that the workflow does not know are learnt from tasks that end; null if not
     * @param mostNodes that a placeholder may have, however many there are
     */
    public record Setup(
            Profile profile,
            int coresPerNode,
            int cap,
            TaskTimes taskTimes,
            boolean recording,
            Faults faults,
            Rules rules,
            WaitMemory learner,
            Dependencies dependencies,
            Estimates estimates,
            TimesInUse.@Nullable Rule times,
            int mostNodes) {
        /** Nothing is learnt. */
        public Setup(
                Profile profile,
                int coresPerNode,
                int cap,
                TaskTimes taskTimes,
                boolean recording,
                Faults faults,
                Rules rules) {
            this(
                    profile,
                    coresPerNode,
                    cap,
                    taskTimes,
                    recording,
                    faults,
                    rules,
                    WaitMemory.NONE,
                    Dependencies.RESERVING,
                    Estimates.AS_ASKED,
                    null,
                    Integer.MAX_VALUE);
        }

        /** Nothing goes wrong. */
        public Setup(Profile profile, int coresPerNode, int cap, TaskTimes taskTimes, boolean recording) {
            this(profile, coresPerNode, cap, taskTimes, recording, Faults.NONE, Rules.DEFAULT);
        }

        /** The same, with all placeholders and attempts kept. */
        public Setup recorded() {
            return copy(taskTimes, true, rules, learner, dependencies, estimates, times, mostNodes);
        }

        /** The same, learning. */
        public Setup learning(WaitMemory memory) {
            return copy(taskTimes, recording, rules, memory, dependencies, estimates, times, mostNodes);
        }

        /** The same on a batch system that treats dependencies so. */
        public Setup with(Dependencies treatment) {
            return copy(taskTimes, recording, rules, learner, treatment, estimates, times, mostNodes);
        }

        /**
         * The same where the manager does not know how long tasks take; a task that is cut off is given more time, as in real runs.
         *
         * @param known the workflow with its times
         * @param rule how they are learnt from tasks that end; null if they are not
         */
        public Setup unknowing(Workflow known, TimesInUse.@Nullable Rule rule) {
            return copy(
                    taskTimes.of(known),
                    recording,
                    rules.mostCutOffs(MOST_CUT_OFFS),
                    learner,
                    dependencies,
                    estimates,
                    rule,
                    mostNodes);
        }

        /** The same where times that the workflow does not know are learnt from tasks that end. */
        public Setup learningTimes(TimesInUse.Rule rule) {
            return copy(taskTimes, recording, rules, learner, dependencies, estimates, rule, mostNodes);
        }

        /** The same with other estimates. */
        public Setup estimating(Estimates other) {
            return copy(taskTimes, recording, rules, learner, dependencies, other, times, mostNodes);
        }

        /** The same with placeholders of so many nodes at most. */
        public Setup nodes(int most) {
            return copy(taskTimes, recording, rules, learner, dependencies, estimates, times, most);
        }

        /** The most nodes of a placeholder in a queue. */
        int nodesOf(SimulatedQueue queue) {
            return Math.min(mostNodes, queue.engine().capacity());
        }

        private Setup copy(
                TaskTimes took,
                boolean kept,
                Rules ruled,
                WaitMemory memory,
                Dependencies treatment,
                Estimates told,
                TimesInUse.@Nullable Rule learnt,
                int most) {
            return new Setup(
                    profile, coresPerNode, cap, took, kept, faults, ruled, memory, treatment, told, learnt, most);
        }
    }

    /** What is made of the batch system's estimates before the strategy hears them. */
    @FunctionalInterface
    public interface Estimates {
        /** What the strategy asks, from the batch system's own answers and its queue. */
        Estimator of(Estimator asked, SimulatedQueue queue);

        Estimates AS_ASKED = (asked, queue) -> asked;
    }

    /** How a batch system treats a job that depends on another. */
    public enum Dependencies {
        /** It plans it while it waits, so that both waits overlap. */
        RESERVING,
        /** It does not look at it before the other is over, as stock Slurm. */
        ELIGIBLE_ONLY
    }

    /** A placeholder in the batch system: our token, its handle. */
    private static final class Job {
        final long token;
        final int handle;
        final Request request;
        boolean started;

        Job(long token, int handle, Request request) {
            this.token = token;
            this.handle = handle;
            this.request = request;
        }
    }

    private final SimulatedQueue queue;
    private final Workflow workflow;
    private final Setup setup;
    private final SimulatedQueue.Reports others;
    private final long start;
    private final Steering steering;
    private final RunBook book;
    private final @Nullable Mishaps mishaps;
    private final LatePost post;
    private final @Nullable TimesInUse times;
    private final InstantHeap taskEnds = new InstantHeap();
    private final Submission submission = new Submission();
    private final Map<Long, Job> jobs = new HashMap<>();
    private final Map<Integer, Job> byHandle = new HashMap<>();
    private final Set<Long> refused = new HashSet<>();
    private final ArrayDeque<Event> reports = new ArrayDeque<>();
    private final Out out = new Out();
    private final In in = new In();
    private long wakeAt = NEVER;
    private long resumeAt = NEVER;
    private long sequence;
    private boolean askedAnything;

    /** A run that has not begun. */
    WorkflowSimulation(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Setup setup,
            SimulatedQueue.Reports others,
            Steering steering) {
        this.queue = queue;
        this.start = start;
        this.others = others;
        this.workflow = workflow;
        this.setup = setup;
        this.steering = steering;
        book = new RunBook(workflow, start, setup.coresPerNode(), setup.recording());
        mishaps = setup.faults().isNone() ? null : new Mishaps(setup.faults());
        post = new LatePost(setup.faults());
        times = setup.times() == null ? null : new TimesInUse(new TaskHistory(), setup.times());
        if (times != null) {
            times.note(workflow);
        }
    }

    /** The manager of a run in a queue. */
    static Manager manager(
            SimulatedQueue queue, Workflow workflow, Strategy strategy, Setup setup, Considered considered) {
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
            SimulatedQueue queue, Workflow workflow, Strategy strategy, Setup setup, Considered considered) {
        return run(queue, queue.now(), workflow, strategy, setup, considered);
    }

    /** The same from a start on that the queue has not reached yet, with nothing to happen before it. */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            Setup setup,
            Considered considered) {
        return run(queue, start, workflow, strategy, setup, considered, BackgroundReports.UNHEARD);
    }

    /** The same; tells what happens to everybody else's jobs, e.g. to a {@link BackgroundCost}. */
    public static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            Setup setup,
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
            Setup setup,
            Considered considered,
            @Nullable Retiming told) {
        return run(queue, start, workflow, strategy, setup, considered, BackgroundReports.UNHEARD, told);
    }

    private static SimulatedRun run(
            SimulatedQueue queue,
            long start,
            Workflow workflow,
            Strategy strategy,
            Setup setup,
            Considered considered,
            SimulatedQueue.Reports others,
            @Nullable Retiming told) {
        Strategy foreseeing = strategy.foreseeing(new QueueFutures(queue::known, start, workflow, setup));
        Manager manager = manager(queue, workflow, foreseeing, setup, considered);
        WorkflowSimulation simulation =
                new WorkflowSimulation(queue, start, workflow, setup, others, Steering.by(manager));
        if (told != null) {
            simulation.steering.on(new Event.Retimed(start, told), simulation.out);
        }
        simulation.play();
        return simulation.book.close(manager);
    }

    /**
     * Plays a run on in thought.
     *
     * @param queue with the run's jobs in it; it is played on
     * @param manager a fork, which nobody else tells anything
     * @param until when it is no longer of interest
     * @param outOfTime whether to break off
     * @return when its last task ends; {@link io.sheaf.batch.BatchScheduler#NEVER} if that is not before then
     */
    static long playOn(SimulatedQueue queue, Manager manager, Setup setup, long until, BooleanSupplier outOfTime) {
        WorkflowSimulation simulation = new WorkflowSimulation(
                queue, queue.now(), manager.workflow(), setup, BackgroundReports.UNHEARD, Steering.by(manager));
        simulation.takeOver(manager);
        simulation.rounds(queue.now());
        while (!manager.isOver() && simulation.next() <= until && !simulation.isStuck() && !outOfTime.getAsBoolean()) {
            simulation.instant(simulation.next());
        }
        SimulatedRun run = simulation.book.close(manager);
        return run.completed() ? run.end() : NEVER;
    }

    /** Goes on with the jobs and tasks that are there; a task that runs has what is left of its time. */
    private void takeOver(Manager manager) {
        for (int i = 0; i < manager.placeholders(); i++) {
            Placeholder p = manager.placeholder(i);
            int handle = queue.handle(p.token());
            if (handle >= 0) {
                Job job = new Job(p.token(), handle, p.request());
                job.started = p.isRunning();
                jobs.put(p.token(), job);
                byHandle.put(handle, job);
                book.submitted(p.token(), p.request(), p.submittedAt());
                if (p.startedAt() >= 0) {
                    book.started(p.token(), p.startedAt());
                }
            }
        }
        manager.repeat(new Resumed(manager));
        for (Job job : List.copyOf(jobs.values())) {
            if (job.started) {
                // In thought all its nodes are there.
                report(new Event.Started(queue.now(), job.token, true));
            }
        }
        deliver();
    }

    /** Whether nothing of ours is there and the strategy wants nothing. */
    private boolean isStuck() {
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
        long next = Math.min(Math.min(queue.next(), taskEnds.first()), wakeAt);
        if (mishaps != null) {
            next = Math.min(Math.min(next, mishaps.next()), Math.min(post.next(), resumeAt));
        }
        return next;
    }

    /** Plays an instant, not beyond {@link #next}. */
    void instant(long at) {
        queue.ends(at, in);
        if (mishaps != null) {
            suffer(mishaps, at);
        }
        while (taskEnds.first() == at) {
            taskEnded(at, taskEnds.firstTie(), taskEnds.remove());
        }
        queue.kills(in);
        deliver();
        queue.arrivals(in);
        if (wakeAt <= at) {
            wakeAt = NEVER;
            steering.on(new Event.Woken(at), out);
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
            askedAnything = false;
            steering.settle(at, out);
            deliver();
            if (!askedAnything && round > 0) {
                return;
            }
            queue.pass(in);
            if (!askedAnything && reports.isEmpty() && post.next() > at) {
                return;
            }
            deliver();
        }
        throw new IllegalStateException("the strategy does not come to rest at instant " + at);
    }

    private void report(Event event) {
        if (mishaps == null) {
            reports.add(event);
        } else {
            post.send(queue.now(), event);
        }
    }

    private void deliver() {
        while (!reports.isEmpty()) {
            steering.on(reports.remove(), out);
        }
        if (mishaps != null) {
            for (Event event = post.receive(queue.now()); event != null; event = post.receive(queue.now())) {
                steering.on(event, out);
            }
        }
    }

    private void taskEnded(long at, long tie, int task) {
        int attempt = book.attempt(task);
        // An end that was foreseen before the attempt was cut off, and another one made, is not this attempt's.
        if (attempt > 0 && book.sequence(task) == tie) {
            long token = book.token(task);
            long since = book.since(task);
            if (mishaps == null) {
                book.taskEnded(task, at);
                steering.on(new Event.TaskEnded(at, token, task, attempt, Event.Outcome.SUCCEEDED), out);
                learn(task, at, since);
                return;
            }
            boolean fails = mishaps.fails(task, attempt);
            if (fails) {
                book.cutOff(task, at, Event.Outcome.FAILED);
            } else {
                book.taskEnded(task, at);
                learn(task, at, since);
            }
            Event.Outcome outcome = fails ? Event.Outcome.FAILED : Event.Outcome.SUCCEEDED;
            report(new Event.TaskEnded(at, token, task, attempt, outcome));
        }
    }

    /** A task has taken so long; if that changes what is expected of others, the manager is told. */
    private void learn(int task, long at, long since) {
        TimesInUse known = times;
        if (known != null) {
            long bytes = TimesInUse.inputBytes(workflow, task);
            known.learn(new TaskRecord(
                    TimesInUse.category(workflow, task),
                    workflow.resources(task).cores(),
                    bytes,
                    at - since,
                    TaskRecord.UNKNOWN,
                    false));
            Retiming moved = known.moved(workflow, each -> TimesInUse.inputBytes(workflow, each));
            if (moved != null) {
                report(new Event.Retimed(at, moved));
            }
        }
    }

    /** Placeholders and nodes get lost; somebody looks at a run that has paused. */
    private void suffer(Mishaps happening, long at) {
        for (Mishaps.Mishap lost = happening.happen(at); lost != null; lost = happening.happen(at)) {
            if (lost.node() == Mishaps.ALL) {
                end(lost.token(), Event.End.LOST);
            } else if (jobs.containsKey(lost.token())) {
                happening.lose(lost.token(), lost.node());
                for (int task = 0; task < workflow.size(); task++) {
                    boolean runs = book.attempt(task) > 0 && book.token(task) == lost.token();
                    if (runs && happening.isOn(task, lost.node())) {
                        book.cutOff(task, at, Event.Outcome.NODE_LOST);
                    }
                }
                report(new Event.NodeLost(at, lost.token(), lost.node()));
            }
        }
        if (resumeAt <= at) {
            resumeAt = NEVER;
            steering.on(new Event.Resumed(at), out);
        }
    }

    /** A placeholder ends in another way than by its walltime. */
    private void end(long token, Event.End how) {
        Job job = jobs.remove(token);
        if (job == null) {
            return;
        }
        byHandle.remove(job.handle);
        askedAnything = true;
        if (how == Event.End.RELEASED) {
            queue.complete(job.handle);
        } else {
            queue.withdraw(job.handle);
        }
        book.ended(token, queue.now(), how);
        report(new Event.Ended(queue.now(), token, how));
    }

    /** Carries out what the manager wants. */
    private final class Out implements Effects {
        @Override
        public void submit(long token, Request request) {
            if (book.knows(token) || refused.contains(token)) {
                return;
            }
            askedAnything = true;
            submission.size(request.units(), request.walltime());
            if (request.notBefore() != Request.AT_ONCE) {
                submission.notBefore(request.notBefore());
            }
            Job before = jobs.get(request.afterToken());
            if (before != null && setup.dependencies() == Dependencies.RESERVING) {
                submission.reservingAfter(before.handle);
            } else if (before != null) {
                submission.eligibleAfter(before.handle);
            }
            int handle = mishaps != null && mishaps.refuses(token) ? -1 : queue.submit(token, submission);
            if (handle < 0) {
                refused.add(token);
                book.refused(token, request, queue.now());
                report(new Event.Refused(queue.now(), token, "the cluster does not take it"));
                return;
            }
            Job job = new Job(token, handle, request);
            jobs.put(token, job);
            byHandle.put(handle, job);
            book.submitted(token, request, queue.now());
            report(new Event.Accepted(queue.now(), token));
            if (mishaps != null) {
                mishaps.submitted(token, request, queue.now());
            }
        }

        @Override
        public void withdraw(long token) {
            end(token, Event.End.WITHDRAWN);
        }

        @Override
        public void release(long token) {
            end(token, Event.End.RELEASED);
        }

        @Override
        public void shorten(long token, long walltime) {
            Job job = jobs.get(token);
            if (job != null && !job.started && walltime < queue.engine().walltime(job.handle)) {
                askedAnything = true;
                queue.shorten(job.handle, walltime);
                book.shortened(token, walltime);
            }
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            // Commands that come after the end of what they are for, or twice, do nothing.
            boolean gone = !jobs.containsKey(token) || (mishaps != null && mishaps.isLost(token, nodes));
            if (gone || Math.abs(book.attempt(task)) >= attempt) {
                return;
            }
            long tie = sequence++;
            book.taskStarted(token, nodes, task, attempt, tie, queue.now());
            long millis = setup.taskTimes().millis(workflow, task, attempt);
            if (mishaps != null) {
                millis = mishaps.lasts(task, attempt, millis);
                mishaps.taskStarted(task, nodes);
            }
            taskEnds.add(queue.now() + millis, tie, task);
            askedAnything = true;
        }

        @Override
        public void stop(long token, int task, int attempt) {
            if (book.attempt(task) == attempt) {
                book.cutOff(task, queue.now(), Event.Outcome.STOPPED);
                askedAnything = true;
                report(new Event.TaskEnded(queue.now(), token, task, attempt, Event.Outcome.STOPPED));
            }
        }

        @Override
        public void wake(long at) {
            wakeAt = Math.max(at, queue.now());
        }

        @Override
        public void learn(Lesson lesson) {
            setup.learner().learn(lesson);
        }
    }

    /** Carries out what a manager wants that was in charge before: attempts that run began earlier. */
    private final class Resumed implements Effects {
        /** A task that has had all its time is taken to need this part of it once more. */
        private static final int OVERDUE_PART = 4;

        private final Manager manager;

        Resumed(Manager manager) {
            this.manager = manager;
        }

        @Override
        public void start(long token, int[] nodes, int task, int attempt) {
            if (!jobs.containsKey(token)) {
                return;
            }
            long began = manager.startedAt(task);
            long elapsed = queue.now() - began;
            long left = setup.taskTimes().millis(workflow, task, attempt) - elapsed;
            long tie = sequence++;
            book.taskStarted(token, nodes, task, attempt, tie, began);
            taskEnds.add(queue.now() + (left > 0 ? left : 1 + elapsed / OVERDUE_PART), tie, task);
        }

        @Override
        public void submit(long token, Request request) {
            out.submit(token, request);
        }

        @Override
        public void withdraw(long token) {
            out.withdraw(token);
        }

        @Override
        public void shorten(long token, long walltime) {
            out.shorten(token, walltime);
        }

        @Override
        public void release(long token) {
            out.release(token);
        }

        @Override
        public void stop(long token, int task, int attempt) {
            out.stop(token, task, attempt);
        }

        @Override
        public void wake(long at) {
            out.wake(at);
        }
    }

    /** Hears what the queue does with our jobs. */
    private final class In implements SimulatedQueue.Reports {
        @Override
        public void started(int handle) {
            Job job = byHandle.get(handle);
            if (job == null) {
                return;
            }
            job.started = true;
            book.started(job.token, queue.now());
            report(new Event.Started(queue.now(), job.token, mishaps == null));
            if (mishaps != null) {
                mishaps.started(job.token, job.request, queue.now());
                for (int node = 0; node < job.request.units() && !mishaps.isSilent(job.token); node++) {
                    report(new Event.NodeUp(queue.now(), job.token, node));
                }
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
                book.ended(job.token, queue.now(), Event.End.EXPIRED);
                report(new Event.Ended(queue.now(), job.token, Event.End.EXPIRED));
            }
        }
    }
}
