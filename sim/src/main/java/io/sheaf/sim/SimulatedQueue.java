package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Request;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * A batch queue in simulated time: the batch engine and the future of the background jobs. It is stepped instant by instant, accepts own jobs, and
 * can be forked.
 *
 * <h2>Jobs</h2>
 * The <em>background</em> is a log of arrivals, actual run times and cancellations. The caller drives <em>own</em> jobs; the queue only ends them at
 * their walltime. Both are in the same engine; a table by handle distinguishes them. Own jobs belong to a separate user, in a separate account if the
 * log has accounts. The limits per job apply to own
 * jobs: those of the log are history. In a cluster with pools, each job of the log has a {@linkplain Pools#drawn drawn} pool.
 *
 * <h2>One instant</h2>
 * It consists of the micro-steps of {@link BatchEngine}:
 *
 * <ol>
 *   <li>{@link #ends}: background jobs that end by themselves, in order of submission; then {@link #complete} for own jobs;
 *   <li>{@link #kills}: background jobs in order of submission, then own jobs in order of their starts;
 *   <li>{@link #arrivals}: cancellations and arrivals of the background, each in order of submission; then our own {@link #cancel}, {@link
 *       #shorten} and {@link #submit};
 *   <li>{@link #pass}.
 * </ol>
 * {@link #open} combines the first three, if no own job ends by itself. Further events at the same instant (jobs of zero length) are another round:
 * {@link #next} returns the same instant. If no event is due, nothing happens, not even a pass, so results do not depend on the number of steps.
 *
 * <h2>Forks</h2>
 * A fork shares the immutable log and copies the engine, the future events of its jobs, and the table. Its cost depends on the jobs in the system,
 * not on the log. Forking only reads the original: many threads may fork one queue while no thread changes it. Otherwise a queue belongs to one
 * thread.
 */
public final class SimulatedQueue {
    /** The order of events at one instant; a job's number is the tie-break after it. */
    private static final long END = 0;

    private static final long KILL = 1L << 40;
    private static final long OWN_KILL = 2L << 40;
    private static final long CANCELLATION = 3L << 40;
    private static final long OTHER_DAY = 4L << 40;

    /** The start of a queued job. */
    static final long QUEUED = -1;

    /** Receives job events. A report must not call back into the queue. */
    public interface JobListener {
        /** An own job starts. */
        void started(int handle);

        /** An own job reached its walltime; its handle may be reused. */
        void expired(int handle);

        default void backgroundStarted(int job, long at) {}

        /** The scheduler's handle of a job of the log that starts. */
        default void backgroundStartedAs(int job, int handle) {}

        /** A job of the log left: it ended, was killed, cancelled or refused. */
        default void backgroundLeft(int job, long at, JobOutcome outcome) {}
    }

    private final JobLog log;
    private final BackgroundFuture future;
    private final BatchEngine engine;
    private final int ownUser;
    /** By handle: ends and kills of running jobs, and cancellations of queued ones. */
    private final InstantHeap coming = new InstantHeap();

    private final Submission request = new Submission();
    private final JobsByHandle jobs;
    private int[] started = new int[0];
    private long ownStarts;
    private long now;
    /** The external priority of own jobs; 0 if the submission has it. */
    private long ownPriority;

    /** A cluster of this many nodes before the first event of the log; our user is not in the log. */
    public SimulatedQueue(JobLog background, Policy policy, int nodes) {
        this(background, policy, nodes, unknownUser(background));
    }

    /** The same with the number of our user, who may be in the log. */
    public SimulatedQueue(JobLog background, Policy policy, int nodes, int ownUser) {
        this(background, new BatchEngine(policy, nodes), ownUser);
        engine.own(ownUser, background.otherAccount(), now);
    }

    /** The same on an empty engine. */
    SimulatedQueue(JobLog background, BatchEngine engine, int ownUser) {
        this(
                background,
                engine,
                ownUser,
                new JobsByHandle(),
                0,
                background.size() == 0 ? 0 : Math.min(0, background.submit(0)));
    }

    /** The same at an instant on a scheduler with jobs, after some arrivals of the log. */
    SimulatedQueue(JobLog background, BatchEngine engine, int ownUser, JobsByHandle jobs, int arrived, long now) {
        log = background;
        this.engine = engine;
        this.ownUser = ownUser;
        this.jobs = jobs;
        future = new BackgroundFuture(background, arrived);
        this.now = now;
    }

    /**
     * A copy of a scheduler's queue at an instant, with expected arrivals. Its jobs count as background jobs and use their full walltime.
     *
     * @param arrivals from this instant on
     */
    public static SimulatedQueue of(BatchEngine engine, long now, JobLog arrivals) {
        return of(engine, now, arrivals, engine::walltime);
    }

    /**
     * The same with given run times of these jobs.
     *
     * @param runs by handle: the total run time in milliseconds; longer than it has run
     */
    public static SimulatedQueue of(BatchEngine engine, long now, JobLog arrivals, IntToLongFunction runs) {
        return QueueCopy.of(engine, now, arrivals, runs, Map.of());
    }

    /** Adds an own job that the scheduler does not contain: running since an instant, or {@link #QUEUED} behind all others. */
    void enter(long token, Request request, long startedAt) {
        Submission job = Submission.of(request.units(), request.walltime())
                .pool(request.pool())
                .memory(request.node().memory())
                .user(ownUser);
        int handle = startedAt == QUEUED ? engine.submit(now, job) : engine.adopt(now, job, startedAt);
        if (handle >= 0) {
            own(token, handle);
        }
    }

    /** Sets the submission of a pilot job, without its dependency. */
    static void fill(Submission job, Request request) {
        job.size(request.units(), request.walltime())
                .pool(request.pool())
                .memory(request.node().memory())
                .notBefore(request.notBefore());
    }

    /** Gives own jobs the priority that estimates assume for them. */
    void assumePriority() {
        ownPriority = engine.policy().order().assumedPriority();
    }

    /** Marks a present job as our own. */
    void own(long token, int handle) {
        jobs.enterOwn(handle);
        jobs.name(token, handle);
        if (engine.isRunning(handle)) {
            coming.add(Math.max(now, engine.limit(handle)), OWN_KILL + ownStarts++, handle);
        }
    }

    /** Sets the end of a running job of the log. */
    void expectEnd(int handle, long at) {
        coming.add(at, END + jobs.job(handle), handle);
    }

    private static int unknownUser(JobLog log) {
        int user = 0;
        for (int job = 0; job < log.size(); job++) {
            user = Math.max(user, log.user(job) + 1);
        }
        return user;
    }

    /** A new, independent copy, no larger than needed. */
    public SimulatedQueue fork() {
        SimulatedQueue copy = new SimulatedQueue(log, engine.fork(), ownUser);
        copyInto(copy);
        return copy;
    }

    /** Makes a queue of the same log, policy, size and user an independent copy of this one; allocates nothing once it has grown. */
    public void forkInto(SimulatedQueue scratch) {
        if (scratch.log != log || scratch.ownUser != ownUser) {
            throw new IllegalArgumentException("a fork needs a queue of the same log and user");
        }
        engine.forkInto(scratch.engine);
        copyInto(scratch);
    }

    /** Copies everything but the engine. */
    private void copyInto(SimulatedQueue scratch) {
        jobs.copyInto(scratch.jobs, engine.handles());
        scratch.coming.copyFrom(coming);
        future.copyInto(scratch.future);
        scratch.ownStarts = ownStarts;
        scratch.now = now;
        scratch.ownPriority = ownPriority;
    }

    /**
     * A copy without arrivals and cancellations of the background, in which every job uses its full walltime: the queue without knowledge of the
     * future.
     */
    public SimulatedQueue withoutFuture() {
        if (jobs.own > 0) {
            throw new IllegalStateException(jobs.own + " own jobs are in the system; advance step by step");
        }
        SimulatedQueue copy = fork();
        copy.future.hide();
        copy.coming.clear();
        for (int handle = 0; handle < engine.handles(); handle++) {
            if (jobs.job(handle) >= 0 && engine.isRunning(handle)) {
                copy.expectEnd(handle, engine.limit(handle));
            }
        }
        return copy;
    }

    public long now() {
        return now;
    }

    /** The engine, for estimates and inspection only; callers must not change it. */
    public BatchEngine engine() {
        return engine;
    }

    public JobLog background() {
        return log;
    }

    /** Own jobs that are queued or running. */
    public int ownJobs() {
        return jobs.own;
    }

    /** The number of arrived jobs of the log, which is also the number of the next one. */
    int arrived() {
        return future.arrived;
    }

    /** The job of the log that has a handle; negative for an own job. */
    int backgroundJob(int handle) {
        return jobs.job(handle);
    }

    /** For each allocated node the actual remaining time from an instant on, in milliseconds; unordered. */
    public long[] busyUntil(long at) {
        long[] busy = new long[engine.size()];
        int nodes = 0;
        for (int handle = 0; handle < engine.handles(); handle++) {
            int job = jobs.job(handle);
            if (job >= 0 && engine.isRunning(handle)) {
                long end = engine.start(handle) + Math.min(log.run(job), log.requested(job));
                for (int node = 0; node < engine.units(handle) && end > at; node++) {
                    busy[nodes++] = end - at;
                }
            }
        }
        return Arrays.copyOf(busy, nodes);
    }

    /**
     * The next instant with an event: a job of the log ends, is killed or cancelled, or arrives, the engine plans a start, or an own job reaches its
     * walltime. {@link BatchEngine#NEVER} if there is none.
     */
    public long next() {
        return Math.min(Math.min(coming.first(), future.next()), engine.nextPass());
    }

    /** Simulates all events up to and at an instant, without own jobs. */
    public void advanceTo(long at) {
        advanceTo(at, BackgroundReports.IGNORED);
    }

    public void advanceTo(long at, JobListener reports) {
        if (jobs.own > 0) {
            throw new IllegalStateException(jobs.own + " own jobs are in the system; advance instant by instant");
        }
        if (at < now) {
            throw new IllegalArgumentException("time " + at + " is before " + now);
        }
        runUntil(at, reports);
        now = at;
    }

    /** Simulates until no event is left. */
    void runToEnd(JobListener reports) {
        runUntil(NEVER - 1, reports);
    }

    private void runUntil(long until, JobListener reports) {
        while (next() <= until) {
            step(reports);
        }
    }

    /** Simulates the next instant with an event, without own jobs. */
    void step(JobListener reports) {
        now = next();
        happen(OTHER_DAY, reports);
        arrive(reports);
        pass(reports);
    }

    /** Moves to an instant, not beyond {@link #next}, and simulates all steps before our commands and the pass. */
    public void open(long at, JobListener reports) {
        ends(at, reports);
        kills(reports);
        arrivals(reports);
    }

    /** The same without own jobs, and with arrivals only before a job of the log. */
    void openBefore(long at, int job) {
        ends(at, BackgroundReports.IGNORED);
        kills(BackgroundReports.IGNORED);
        happen(OTHER_DAY, BackgroundReports.IGNORED);
        while (future.arrived < job && future.arrives(now)) {
            arriveNext(BackgroundReports.IGNORED);
        }
    }

    /** Moves to an instant, not beyond {@link #next}: jobs of the log end by themselves. */
    public void ends(long at, JobListener reports) {
        if (at < now || at > next()) {
            throw new IllegalArgumentException(
                    "cannot move from " + now + " to " + at + ": something happens at " + next());
        }
        now = at;
        happen(KILL, reports);
    }

    /** Kills jobs that reached their walltime. */
    public void kills(JobListener reports) {
        happen(CANCELLATION, reports);
    }

    /** Cancels and submits jobs of the log. */
    public void arrivals(JobListener reports) {
        happen(OTHER_DAY, reports);
        arrive(reports);
    }

    /** Submits an own job now for our user. Returns its handle, or the engine's code of a refusal. */
    public int submit(Submission job) {
        int handle = engine.submit(
                now, ownPriority == 0 ? job.user(ownUser) : job.user(ownUser).priority(ownPriority));
        if (handle >= 0) {
            jobs.enterOwn(handle);
        }
        return handle;
    }

    /** The same with a token that identifies the job. */
    int submit(long token, Submission job) {
        int handle = submit(job);
        if (handle >= 0) {
            jobs.name(token, handle);
        }
        return handle;
    }

    /** The handle of an own job with a token; −1 if it is not in the system. */
    int handle(long token) {
        return jobs.handle(token);
    }

    /** The observed state of the queue now, without its future. */
    public KnownQueue known() {
        return new KnownQueue(engine, now, jobs.ownHandles(), log, future.known(), jobs::job);
    }

    /** Cancels an own job, queued or running. */
    public void cancel(int handle) {
        jobs.checkOwn(handle);
        engine.cancel(handle, now);
        coming.remove(handle);
        jobs.leaveOwn(handle);
    }

    /** Lowers the walltime of an own job that is queued. */
    public void shorten(int handle, long walltime) {
        jobs.checkOwn(handle);
        engine.shorten(handle, walltime, now);
    }

    /** Ends a running own job. */
    public void complete(int handle) {
        jobs.checkOwn(handle);
        engine.complete(handle, now);
        coming.remove(handle);
        jobs.leaveOwn(handle);
    }

    public void pass(JobListener reports) {
        if (started.length < engine.queued()) {
            started = new int[2 * engine.queued()];
        }
        int n = engine.pass(now, started);
        for (int i = 0; i < n; i++) {
            int handle = started[i];
            int job = jobs.job(handle);
            if (job == JobsByHandle.OWN) {
                coming.add(engine.limit(handle), OWN_KILL + ownStarts++, handle);
                reports.started(handle);
            } else {
                begin(job, handle);
                reports.backgroundStarted(job, now);
                reports.backgroundStartedAs(job, handle);
            }
        }
    }

    private void begin(int job, int handle) {
        if (log.patience(job) != JobLog.PATIENT) {
            coming.remove(handle);
        }
        coming.add(now + future.run(job), (future.isKilled(job) ? KILL : END) + job, handle);
    }

    /** Simulates the events that are due before a tie-break. */
    private void happen(long before, JobListener reports) {
        while (coming.first() == now && coming.firstTie() < before) {
            long tie = coming.firstTie();
            int handle = coming.remove();
            int job = jobs.job(handle);
            if (job == JobsByHandle.OWN) {
                engine.complete(handle, now);
                jobs.leaveOwn(handle);
                reports.expired(handle);
            } else {
                jobs.leave(handle);
                reports.backgroundLeft(job, now, remove(handle, tie));
            }
        }
    }

    private JobOutcome remove(int handle, long tie) {
        if (tie >= CANCELLATION) {
            engine.cancel(handle, now);
            return JobOutcome.CANCELLED;
        }
        engine.complete(handle, now);
        return tie < KILL ? JobOutcome.COMPLETED : JobOutcome.KILLED;
    }

    private void arrive(JobListener reports) {
        while (future.arrives(now)) {
            arriveNext(reports);
        }
    }

    /** The request of a job of the log, without its user, in one of the cluster's pools. */
    Submission request(int job, Submission made) {
        return future.request(job, engine.policy().pools(), made);
    }

    private void arriveNext(JobListener reports) {
        int job = future.take();
        int handle =
                engine.submit(now, request(job, request).user(log.user(job)).account(log.account(job)));
        if (handle < 0) {
            reports.backgroundLeft(job, now, JobOutcome.REFUSED);
            return;
        }
        jobs.enter(handle, job);
        if (log.patience(job) != JobLog.PATIENT) {
            coming.add(now + log.patience(job), CANCELLATION + job, handle);
        }
    }
}
