package io.sheaf.sim;

import static io.sheaf.batch.BatchScheduler.NEVER;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.BatchScheduler;
import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.manager.Request;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * A batch queue in simulated time: the batch engine, and beside it the future of everybody else's jobs. It can be stepped
 * instant by instant, takes jobs of our own, and can be forked.
 *
 * <h2>Whose jobs</h2>
 * The <em>background</em> is a log: it says who comes when, how long each job really runs, and who loses patience. <em>Own</em>
 * jobs are driven from outside, which alone knows what runs in them; the queue only ends them when their walltime is over. Both
 * are in the same engine and known there by handles; a table by handle tells them apart. Own jobs belong to a user of their own.
 *
 * <h2>One instant</h2>
 * It is played in the micro-steps that {@link BatchScheduler} fixes:
 * <ol>
 *   <li>{@link #ends}: background jobs that end by themselves, in order of submission; own jobs that do are then told by
 *       {@link #complete};
 *   <li>{@link #kills}: of the background in order of submission, then own jobs in order of their starts;
 *   <li>{@link #arrivals}: cancellations and arrivals of the background, each in order of submission; then our own
 *       {@link #cancel}, {@link #shorten} and {@link #submit};
 *   <li>{@link #pass}.
 * </ol>
 * {@link #open} is the first three at once, for a driver none of whose jobs ends by itself just then. What follows at the same
 * instant (jobs of no length) is a further round: {@link #next} is the same instant again. Where nothing is due nothing is
 * done, not even a pass, so it does not matter in how many steps the background is played.
 *
 * <h2>Forks</h2>
 * A fork shares the log, which is immutable, and copies what is in the system: the engine, one thing to come for each job
 * that has one, and the table. So it costs as much as the system is busy, however long the log. Forking changes nothing in
 * the original: many threads may fork one queue at a time as long as nobody plays it. Apart from that a queue belongs to one
 * thread.
 */
public final class SimulatedQueue {
    /** What falls on one instant goes in this order; a job's number is the tie-break behind it. */
    private static final long END = 0;

    private static final long KILL = 1L << 40;
    private static final long OWN_KILL = 2L << 40;
    private static final long CANCELLATION = 3L << 40;
    private static final long OTHER_DAY = 4L << 40;

    /** In place of a start: it has not started. */
    static final long QUEUED = -1;

    /** What happens to the jobs. A report must not call back into the queue: what it leads to is done after the step. */
    public interface Reports {
        /** An own job starts. */
        void started(int handle);

        /** The walltime of an own job is over; it is gone, and its handle may be given away. */
        void expired(int handle);

        /** A job of the log starts. */
        default void backgroundStarted(int job, long at) {}

        /** The handle that the scheduler knows a job of the log by, which starts. */
        default void backgroundStartedAs(int job, int handle) {}

        /** A job of the log is gone: it ended, was killed or cancelled, or was not even accepted. */
        default void backgroundLeft(int job, long at, JobOutcome outcome) {}
    }

    private final JobLog log;
    private final BatchScheduler scheduler;
    private final int ownUser;
    /** By handle: ends and kills of running jobs, and cancellations of queued ones. */
    private final InstantHeap coming = new InstantHeap();

    private final Submission request = new Submission();
    private final JobsByHandle jobs;
    private int[] started = new int[0];
    private int arrived;
    private long ownStarts;
    private long now;
    /** Whether nothing is known of the future: nobody arrives, and jobs take the time that they ask for. */
    private boolean unforeseen;

    /** How many jobs of the log had arrived when it was made such a copy. */
    private int knownBefore;

    /** A cluster of so many nodes before anything of the log happened; our user is one whom the log does not know. */
    public SimulatedQueue(JobLog background, Policy policy, int nodes) {
        this(background, policy, nodes, unknownUser(background));
    }

    /** The same with a number for our user; it may be one of the log's. */
    public SimulatedQueue(JobLog background, Policy policy, int nodes, int ownUser) {
        this(background, new BatchEngine(policy, nodes), ownUser);
    }

    /** The same on a scheduler that is empty; only a {@link BatchEngine} can be forked. */
    SimulatedQueue(JobLog background, BatchScheduler scheduler, int ownUser) {
        this(
                background,
                scheduler,
                ownUser,
                new JobsByHandle(),
                0,
                background.size() == 0 ? 0 : Math.min(0, background.submit(0)));
    }

    /** The same at an instant on a scheduler with jobs, when so many of the log have arrived. */
    SimulatedQueue(JobLog background, BatchScheduler scheduler, int ownUser, JobsByHandle jobs, int arrived, long now) {
        log = background;
        this.scheduler = scheduler;
        this.ownUser = ownUser;
        this.jobs = jobs;
        this.arrived = arrived;
        this.now = now;
    }

    /**
     * A copy of a scheduler's queue as it is at an instant, with others who are thought to come. The jobs in it count as everybody else's, and take all
     * the time that they asked for.
     *
     * @param arrivals from this instant on
     */
    public static SimulatedQueue of(BatchEngine engine, long now, JobLog arrivals) {
        return of(engine, now, arrivals, engine::walltime);
    }

    /**
     * The same, with other thoughts on how long each of those jobs takes.
     *
     * @param runs by handle: how long it runs in all, in milliseconds; longer than it has run
     */
    public static SimulatedQueue of(BatchEngine engine, long now, JobLog arrivals, IntToLongFunction runs) {
        return of(engine, now, arrivals, runs, Map.of());
    }

    /**
     * The same, where some of the jobs are our own.
     *
     * @param own their handles by the tokens that they were submitted under
     */
    static SimulatedQueue of(
            BatchEngine engine, long now, JobLog arrivals, IntToLongFunction runs, Map<Long, Integer> own) {
        return new QueueCopy(engine, now, runs).with(arrivals, own);
    }

    /** A job of ours that the scheduler has not been told of: it runs since an instant, or is {@link #QUEUED} behind all others. */
    void enter(long token, Request asked, long startedAt) {
        Submission job = Submission.of(asked.units(), asked.walltime()).user(ownUser);
        int handle = startedAt == QUEUED ? scheduler.submit(now, job) : engine().adopt(now, job, startedAt);
        if (handle >= 0) {
            own(token, handle);
        }
    }

    /** A job that is there is our own. */
    void own(long token, int handle) {
        jobs.enterOwn(handle);
        jobs.name(token, handle);
        if (engine().isRunning(handle)) {
            coming.add(Math.max(now, scheduler.limit(handle)), OWN_KILL + ownStarts++, handle);
        }
    }

    /** A job of the log that runs ends then. */
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
        SimulatedQueue copy = new SimulatedQueue(log, engine().fork(), ownUser);
        copyInto(copy);
        return copy;
    }

    /** Makes a queue of the same log, policy, size and user an independent copy of this one, without garbage once it has grown. */
    public void forkInto(SimulatedQueue scratch) {
        if (scratch.log != log || scratch.ownUser != ownUser) {
            throw new IllegalArgumentException("a fork needs a queue of the same log and user");
        }
        engine().forkInto(scratch.engine());
        copyInto(scratch);
    }

    /** Copies everything but the engine. */
    private void copyInto(SimulatedQueue scratch) {
        jobs.copyInto(scratch.jobs, engine().handles());
        scratch.coming.copyFrom(coming);
        scratch.arrived = arrived;
        scratch.ownStarts = ownStarts;
        scratch.now = now;
        scratch.unforeseen = unforeseen;
        scratch.knownBefore = knownBefore;
    }

    /**
     * A copy in which nobody else arrives or loses patience, and every job takes all the time that it asked for: what can be expected by one who sees
     * the queue and not the future.
     */
    public SimulatedQueue withoutFuture() {
        if (jobs.own() > 0) {
            throw new IllegalStateException(jobs.own() + " own jobs are in the system; their future is ours");
        }
        SimulatedQueue copy = fork();
        copy.unforeseen = true;
        copy.knownBefore = arrived;
        copy.arrived = log.size();
        copy.coming.clear();
        for (int handle = 0; handle < engine().handles(); handle++) {
            if (jobs.job(handle) >= 0 && engine().isRunning(handle)) {
                copy.expectEnd(handle, engine().limit(handle));
            }
        }
        return copy;
    }

    public long now() {
        return now;
    }

    /** To be asked for estimates, and looked at; who changes it breaks the queue. */
    public BatchEngine engine() {
        if (scheduler instanceof BatchEngine engine) {
            return engine;
        }
        throw new IllegalStateException("this queue is not that of a batch engine");
    }

    public JobLog background() {
        return log;
    }

    /** Own jobs that are queued or running. */
    public int ownJobs() {
        return jobs.own();
    }

    /** How many jobs of the log have arrived; the next to come has this number. */
    int arrived() {
        return arrived;
    }

    /** The job of the log that has a handle; negative for an own job. */
    int backgroundJob(int handle) {
        return jobs.job(handle);
    }

    /** For each node that a running job has now how long it really keeps it from an instant on, in milliseconds; in no order. */
    public long[] busyUntil(long at) {
        long[] busy = new long[engine().capacity()];
        int nodes = 0;
        for (int handle = 0; handle < engine().handles(); handle++) {
            int job = jobs.job(handle);
            if (job >= 0 && engine().isRunning(handle)) {
                long end = engine().start(handle) + Math.min(log.run(job), log.requested(job));
                for (int node = 0; node < log.nodes(job) && end > at; node++) {
                    busy[nodes++] = end - at;
                }
            }
        }
        return Arrays.copyOf(busy, nodes);
    }

    /**
     * The first instant at which anything happens by itself: a job of the log ends, is killed or cancelled, or arrives, the
     * engine plans a start, or the walltime of an own job is over. {@link BatchScheduler#NEVER} if nothing will.
     */
    public long next() {
        long arrival = arrived < log.size() ? log.submit(arrived) : NEVER;
        return Math.min(Math.min(coming.first(), arrival), scheduler.nextPass());
    }

    /** Plays all there is up to an instant and at it, without own jobs. */
    public void advanceTo(long at) {
        advanceTo(at, BackgroundReports.UNHEARD);
    }

    public void advanceTo(long at, Reports reports) {
        if (jobs.own() > 0) {
            throw new IllegalStateException(jobs.own() + " own jobs are in the system; play instant by instant");
        }
        if (at < now) {
            throw new IllegalArgumentException("time " + at + " is before " + now);
        }
        play(at, reports);
        now = at;
    }

    /** Plays on until nothing is left to happen. */
    void playOut(Reports reports) {
        play(NEVER - 1, reports);
    }

    private void play(long until, Reports reports) {
        while (next() <= until) {
            step(reports);
        }
    }

    /** Plays the next instant at which anything happens, without own jobs. */
    void step(Reports reports) {
        now = next();
        happen(OTHER_DAY, reports);
        arrive(reports);
        pass(reports);
    }

    /** Moves to an instant, not beyond {@link #next}, and plays all that comes before what we do and the pass. */
    public void open(long at, Reports reports) {
        ends(at, reports);
        kills(reports);
        arrivals(reports);
    }

    /** The same, but of those who arrive at this instant only who comes before a job of the log. */
    void openBefore(long at, int job, Reports reports) {
        ends(at, reports);
        kills(reports);
        happen(OTHER_DAY, reports);
        while (arrived < job && log.submit(arrived) == now) {
            arriveNext(reports);
        }
    }

    /** Moves to an instant, not beyond {@link #next}: jobs of the log end by themselves. */
    public void ends(long at, Reports reports) {
        if (at < now || at > next()) {
            throw new IllegalArgumentException(
                    "cannot move from " + now + " to " + at + ": something happens at " + next());
        }
        now = at;
        happen(KILL, reports);
    }

    /** Jobs whose walltime is over are killed. */
    public void kills(Reports reports) {
        happen(CANCELLATION, reports);
    }

    /** Jobs of the log are cancelled and arrive. */
    public void arrivals(Reports reports) {
        happen(OTHER_DAY, reports);
        arrive(reports);
    }

    /** Submits an own job now, in the name of our user. Returns its handle, or why it is refused as the engine says. */
    public int submit(Submission job) {
        int handle = scheduler.submit(now, job.user(ownUser));
        if (handle >= 0) {
            jobs.enterOwn(handle);
        }
        return handle;
    }

    /** The same under a token, by which the job can then be asked for. */
    int submit(long token, Submission job) {
        int handle = submit(job);
        if (handle >= 0) {
            jobs.name(token, handle);
        }
        return handle;
    }

    /** The handle of an own job that was submitted under a token and is in the system; −1 if there is none. */
    int handle(long token) {
        return jobs.handle(token);
    }

    /** What is known of it now, by one who has seen all that happened so far. */
    KnownQueue known() {
        int known = unforeseen ? knownBefore : arrived;
        return new KnownQueue(engine(), now, jobs.ownHandles(), log, known, jobs::job);
    }

    /** Takes an own job back, queued or running. */
    public void cancel(int handle) {
        jobs.checkOwn(handle);
        scheduler.cancel(handle, now);
        coming.remove(handle);
        jobs.leaveOwn(handle);
    }

    /** Lowers the walltime of an own job that is queued. */
    public void shorten(int handle, long walltime) {
        jobs.checkOwn(handle);
        scheduler.shorten(handle, walltime, now);
    }

    /** An own job that runs ends by itself. */
    public void complete(int handle) {
        jobs.checkOwn(handle);
        scheduler.complete(handle, now);
        coming.remove(handle);
        jobs.leaveOwn(handle);
    }

    /** One scheduling pass. */
    public void pass(Reports reports) {
        if (started.length < scheduler.queued()) {
            started = new int[2 * scheduler.queued()];
        }
        int n = scheduler.pass(now, started);
        for (int i = 0; i < n; i++) {
            int handle = started[i];
            int job = jobs.job(handle);
            if (job == JobsByHandle.OWN) {
                coming.add(scheduler.limit(handle), OWN_KILL + ownStarts++, handle);
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
        long walltime = log.requested(job);
        long run = unforeseen ? walltime : log.run(job);
        coming.add(now + Math.min(run, walltime), (run > walltime ? KILL : END) + job, handle);
    }

    /** What is due now and comes before some tie-break. */
    private void happen(long before, Reports reports) {
        while (coming.first() == now && coming.firstTie() < before) {
            long tie = coming.firstTie();
            int handle = coming.remove();
            int job = jobs.job(handle);
            if (job == JobsByHandle.OWN) {
                scheduler.complete(handle, now);
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
            scheduler.cancel(handle, now);
            return JobOutcome.WITHDRAWN;
        }
        scheduler.complete(handle, now);
        return tie < KILL ? JobOutcome.COMPLETED : JobOutcome.KILLED;
    }

    private void arrive(Reports reports) {
        while (arrived < log.size() && log.submit(arrived) == now) {
            arriveNext(reports);
        }
    }

    private void arriveNext(Reports reports) {
        int job = arrived++;
        request.size(log.nodes(job), log.requested(job)).user(log.user(job));
        int handle = scheduler.submit(now, request);
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
