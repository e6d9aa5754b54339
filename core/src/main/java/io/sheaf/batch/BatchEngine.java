package io.sheaf.batch;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The batch engine: a batch scheduler for start-time estimates, replays of logs, and simulated and embedded clusters.
 *
 * <p>A state machine on primitive arrays: no clock, no thread, no I/O, and no allocation per event once the arrays have grown to the size
 * of the queue. Not thread-safe.
 *
 * <p>Times are milliseconds on the driver's clock and never decrease from call to call. A job is identified by its <em>handle</em>, which is valid
 * from {@link #submit} until the job ends or is cancelled. The engine may then reuse it.
 *
 * <h2>One instant</h2>
 * The driver reports everything at one instant in fixed micro-steps:
 *
 * <ol>
 *   <li><b>ends</b>: {@link #complete} for each job that ended by itself, in order of submission;
 *   <li><b>kills</b>: {@link #complete} for each job that reached its walltime;
 *   <li><b>cancels</b>: {@link #cancel}, {@link #shorten};
 *   <li><b>arrivals</b>: {@link #submit}, in order of arrival;
 *   <li><b>pass</b>: one {@link #pass}, which starts the jobs that can start;
 *   <li><b>consequences</b>: further events at the same instant (jobs of zero length end, dependents are released) are another round of the same
 *       steps.
 * </ol>
 * The engine never receives actual run times, so it cannot use future information.
 *
 * <h2>Parts</h2>
 * {@link JobTable} holds the jobs in the system, {@link JobQueue} their order, {@link AvailabilityProfile} the free units
 * over time. A {@link QueuePlan} decides which jobs start: {@link StandingPlan} for conservative backfilling, {@link DepthPlan} for
 * everything else.
 *
 * <h2>Deviations from the plan</h2>
 * A job whose walltime has ended without a report still holds its units. If this prevents a start, the
 * job is assumed to run one second longer, and the whole queue is planned again. The same happens when a reservation is added. Only then, and when a pass is later than {@link #nextPass}, a promised start may move later.
 */
public final class BatchEngine {
    /** No such instant. */
    public static final long NEVER = Long.MAX_VALUE;

    /** {@link #submit}: more units than the cluster has. */
    public static final int TOO_LARGE = -1;

    private final Policy policy;
    private final int size;
    private final JobShapes single = new JobShapes();
    final QueuePlan plan;
    private final JobTable jobs;
    private final JobQueue queue;
    private @Nullable StartEstimates estimates;
    private long now = Long.MIN_VALUE;
    /** Changes with every state change. */
    long stamp;

    /** An empty cluster of {@code units} nodes, or cores if nodes are shared. */
    public BatchEngine(Policy policy, int units) {
        this(policy, units, StandingPlan.MANY);
    }

    /** The same for tests, with another threshold of a long queue. */
    BatchEngine(Policy policy, int units, int longQueue) {
        if (units < 1) {
            throw new IllegalArgumentException("a cluster of " + units + " nodes: at least 1 is needed");
        }
        this.policy = policy;
        size = units;
        plan = QueuePlan.of(policy, units, longQueue);
        jobs = plan.jobs;
        queue = plan.queue;
    }

    public Policy policy() {
        return policy;
    }

    public int size() {
        return size;
    }

    /** Makes {@code scratch} an independent copy of this engine; allocates nothing once it has grown. */
    public void forkInto(BatchEngine scratch) {
        if (scratch.size != size || !scratch.policy.equals(policy)) {
            throw new IllegalArgumentException("a fork needs an engine of the same policy and size");
        }
        scratch.plan.copyFrom(plan);
        scratch.now = now;
        scratch.stamp++;
    }

    /** Makes {@code scratch} a copy with another queue order: all starts are planned again. */
    void reorderInto(BatchEngine scratch) {
        scratch.plan.copyFrom(plan);
        scratch.now = now;
        scratch.stamp++;
        scratch.plan.reorder(now);
    }

    /** A new, independent copy. */
    public BatchEngine fork() {
        BatchEngine copy = new BatchEngine(policy, size);
        forkInto(copy);
        return copy;
    }

    /** Adds a job to the queue. Returns its handle, or {@link #TOO_LARGE} if it is refused. */
    public int submit(long at, Submission job) {
        changeAt(at);
        if (isTooLarge(job)) {
            return TOO_LARGE;
        }
        if (job.after >= 0 && (job.after >= jobs.top || jobs.state[job.after] == JobTable.FREE)) {
            throw new IllegalArgumentException("a job cannot wait for handle " + job.after + ", which is not a job");
        }
        plan.users.enter(job.user, job.account, at);
        int j = add(at, job);
        if (policy.order().multifactor() != null && plan.isOrderDue(at)) {
            plan.refreshOrder(at);
            plan.freed(NEVER, NEVER, at);
        }
        jobs.rank[j] = plan.rank(j, at);
        plan.arrived(j, queue.insert(j), at);
        return j;
    }

    private int add(long at, Submission job) {
        int j = jobs.add(at, job, policy.order());
        jobs.memory[j] = plan.countsMemory() ? job.memory : 0;
        return j;
    }

    private boolean isTooLarge(Submission job) {
        boolean pooled = policy.pools().count() > 0;
        int max = pooled ? policy.pools().size(job.pool) : size;
        boolean allowed = policy.perJob().allow(job.units, job.walltime)
                && policy.memory().suffices(job.units, job.memory)
                && (!pooled || policy.pools().allows(job.pool, job.units, job.walltime));
        return job.units > max || (!job.exempt && !allowed);
    }

    /** Adds a job that is already running, as found in a snapshot; it keeps its units until its limit at the latest. */
    public int adopt(long at, Submission job, long startedAt) {
        changeAt(at);
        plan.users.enter(job.user, job.account, at);
        int j = add(at, job);
        plan.adopt(j, startedAt, at);
        return j;
    }

    /** A running job ended, by itself or at its walltime. */
    public void complete(int job, long at) {
        changeAt(at);
        jobs.check(job, JobTable.RUNNING);
        long end = jobs.end[job];
        int units = jobs.units[job];
        int block = jobs.block[job];
        plan.end(job, at);
        leave(job);
        plan.freed(at, end, units, block, at);
    }

    /** Removes a job, queued or running. Jobs that depend on it are released, as after any other end. */
    public void cancel(int job, long at) {
        if (job >= 0 && job < jobs.top && jobs.state[job] == JobTable.RUNNING) {
            complete(job, at);
            return;
        }
        changeAt(at);
        jobs.check(job, JobTable.QUEUED);
        long start = jobs.start[job];
        long end = jobs.plannedEnd(job);
        if (jobs.isPlanned(job)) {
            plan.unplan(job);
        }
        queue.remove(job);
        int units = jobs.units[job];
        int block = jobs.block[job];
        leave(job);
        plan.freed(start, end, units, block, at);
    }

    /** Lowers the walltime of a queued job. */
    public void shorten(int job, long walltime, long at) {
        changeAt(at);
        jobs.check(job, JobTable.QUEUED);
        if (walltime < 1 || walltime > jobs.walltime[job]) {
            throw new IllegalArgumentException(
                    "a walltime of " + jobs.walltime[job] + " ms cannot be shortened to " + walltime);
        }
        long from = NEVER;
        long to = NEVER;
        if (jobs.isPlanned(job)) {
            from = jobs.start[job] + walltime;
            to = jobs.start[job] + jobs.walltime[job];
            plan.release(job, from, to);
            plan.users.shorten(jobs.user[job], jobs.units[job], to - from);
        }
        queue.remove(job);
        jobs.walltime[job] = walltime;
        jobs.rank[job] = plan.rank(job, at);
        jobs.checked[job] = -1;
        queue.insert(job);
        plan.freed(from, to, at);
    }

    /** Sets the end of a running job, before its limit, for planning. For what-if copies. */
    public void expectEnd(int job, long end, long at) {
        changeAt(at);
        jobs.check(job, JobTable.RUNNING);
        long limit = jobs.end[job];
        if (end <= at || end > limit) {
            throw new IllegalArgumentException("a job that runs until " + limit + " cannot end at " + end);
        }
        if (end < limit) {
            plan.release(job, end, limit);
            jobs.end[job] = end;
            plan.freed(end, limit, at);
        }
    }

    /** Keeps units of a pool free from {@code from} until {@code to}. */
    public void reserve(int pool, int units, long from, long to, long at) {
        changeAt(at);
        if (units < 1 || units > size || from >= to || from < at) {
            throw new IllegalArgumentException("a reservation of " + units + " nodes of " + size + " from " + from
                    + " to " + to + " at " + at + ": it must fit the cluster and be in the future");
        }
        plan.checkReservable(units, from);
        plan.reserve(new QueueSnapshot.Reservation(pool, units, from, to));
        plan.rebuild(at);
    }

    /**
     * Starts the jobs that can start now. Writes their handles to {@code started}, in queue order, and returns their number. The array must be as
     * long as the queue.
     */
    public int pass(long at, int[] started) {
        changeAt(at);
        return plan.pass(at, started);
    }

    /**
     * The first instant after the last pass at which a pass could start a job without any report since: a planned start, a not-before or
     * the end of a reservation; {@link #NEVER} if none.
     */
    public long nextPass() {
        return plan.nextPass;
    }

    public int queued() {
        return queue.size;
    }

    /** The i-th queued job in queue order, as of the last pass or change. */
    public int queued(int i) {
        return queue.order[i];
    }

    /** The start planned for a queued job at present, the start of a running one, or {@link #NEVER}. */
    public long start(int job) {
        return jobs.start[job];
    }

    /** The end of a running job's walltime. */
    public long limit(int job) {
        jobs.check(job, JobTable.RUNNING);
        return jobs.end[job];
    }

    public boolean isRunning(int job) {
        return jobs.state[job] == JobTable.RUNNING;
    }

    /** The first of the consecutive nodes of a running job under contiguous placement, from 0; -1 if nodes are counted. */
    public int firstNode(int job) {
        jobs.check(job, JobTable.RUNNING);
        return plan.policy.placement() == Policy.NodeSelection.CONTIGUOUS ? jobs.block[job] : -1;
    }

    public int units(int job) {
        return jobs.units[job];
    }

    /** The memory of a job on each unit, in bytes; 0 if memory is not counted. */
    public long memory(int job) {
        return jobs.memory[job];
    }

    public long walltime(int job) {
        return jobs.walltime[job];
    }

    /** The pool of a job; {@link Pools#ANY} if the cluster has none. */
    public int pool(int job) {
        return jobs.pool[job];
    }

    /** The handles of all jobs in the system: running ones in order of their handles, then queued ones in queue order. */
    public int[] present() {
        return IntStream.concat(
                        IntStream.range(0, handles()).filter(this::isRunning),
                        Arrays.stream(queue.order, 0, queue.size))
                .toArray();
    }

    /** Handles of all jobs in the system are below this. */
    public int handles() {
        return jobs.top;
    }

    /**
     * Adds our user, whose jobs are estimated. Under {@link Multifactor} the user has our shares in an account. Does nothing under other orders without
     * limits per user.
     */
    public void own(int user, int account, long at) {
        if (policy.order().multifactor() != null || plan.users.limited) {
            changeAt(at);
            plan.users.own(user, account, at);
        }
    }

    /** Our fair-share factor at an instant, with the usage up to it; NaN if the order has none, or our user is unknown. */
    public double ownFairShare(long at) {
        boolean shared = policy.order().multifactor() != null && ownUser() >= 0;
        return !shared ? Double.NaN : fork().plan.users.factorAt(ownUser(), at);
    }

    /** Our user; −1 if unknown. */
    public int ownUser() {
        return plan.users.own;
    }

    /** Units that are not allocated to running jobs. */
    public int idle() {
        return size - plan.runningUnits;
    }

    /** Whether some units of a pool are not allocated to running jobs; planned starts and reservations do not count. */
    boolean hasRoom(int pool, int units) {
        return policy.pools().count() == 0 ? units <= idle() : plan.profile.hole(pool, now, now + 1, units, 1) == now;
    }

    /** The promised start of a job submitted now or, without promises, its start if no other job arrives. */
    public long estimate(long at, Submission job) {
        moveTo(at);
        if (plan instanceof StandingPlan standing && standing.promises(job)) {
            return standing.promise(at, job);
        }
        return estimates().start(this, at, job);
    }

    /**
     * Many estimates at once: {@code out[i]} is the start of the i-th job if it is submitted now, each by itself, by our user or, if unknown, one without other jobs;
     * {@link #NEVER} for one that is too large.
     */
    public void estimate(long at, JobShapes shapes, long[] out) {
        moveTo(at);
        if (plan instanceof StandingPlan standing) {
            promisesOrStarts(standing, at, shapes, out);
        } else {
            estimates().starts(this, at, shapes, out);
        }
    }

    /** A job beyond a limit of its user gets no promise before a job of that user ends. */
    private void promisesOrStarts(StandingPlan standing, long at, JobShapes shapes, long[] out) {
        int user = plan.users.unknown();
        for (int i = 0; i < shapes.count(); i++) {
            out[i] = plan.users.isAllowed(user, shapes.units(i), shapes.walltime(i))
                    ? standing.promise(at, shapes, i)
                    : estimates().start(this, at, shapes, i);
        }
    }

    /**
     * Estimates for jobs submitted now one after the other: {@code out[i]} is the start of the i-th job with the earlier ones in the queue. Returns
     * the number of jobs, from the first on, that one forward simulation covered, at least one; query the rest when these are queued.
     */
    public int estimateInOrder(long at, JobShapes shapes, long[] out) {
        moveTo(at);
        boolean sharesOneSimulation = plan instanceof DepthPlan && !plan.users.limited;
        if (shapes.count() > 1 && sharesOneSimulation && !policy.order().sharesFairly()) {
            int estimated = estimates().inOrder(this, at, shapes, out);
            if (estimated > 0) {
                return estimated;
            }
        }
        single.clear().needing(shapes.memory()).add(shapes.pool(0), shapes.units(0), shapes.walltime(0));
        estimate(at, single, out);
        return 1;
    }

    /**
     * Expected starts of queued jobs, and of jobs submitted now in this order by our user or, if unknown, one without other jobs, if no other job arrives and
     * every job uses its full walltime. Another queued job may be cancelled as soon as the new ones are submitted.
     *
     * @param cancelled its handle; none if below 0 or not queued
     * @param queuedJobs handles of the first {@code count}; {@link #NEVER} for one below 0, and for a job that would not start
     * @param added the submitted jobs
     * @param out first the starts of the queued jobs, then those of the submitted ones
     */
    public void expect(long at, int cancelled, int[] queuedJobs, int count, JobShapes added, long[] out) {
        moveTo(at);
        boolean cancels = cancelled >= 0 && jobs.state[cancelled] == JobTable.QUEUED;
        if (!cancels && added.count() <= 1 && plan instanceof StandingPlan standing && !plan.users.limited) {
            // Promises hold, independent of arrivals.
            for (int i = 0; i < count; i++) {
                out[i] = queuedJobs[i] < 0 ? NEVER : jobs.start[queuedJobs[i]];
            }
            if (added.count() == 1) {
                out[count] = standing.promise(at, added, 0);
            }
        } else {
            estimates().expect(this, at, cancels ? cancelled : JobTable.NONE, queuedJobs, count, added, out);
        }
    }

    private StartEstimates estimates() {
        StartEstimates f = estimates;
        if (f == null) {
            f = new StartEstimates(new BatchEngine(policy, size));
            estimates = f;
        }
        return f;
    }

    private void changeAt(long at) {
        moveTo(at);
        stamp++;
    }

    private void moveTo(long at) {
        if (at < now) {
            throw new IllegalArgumentException("time " + at + " is before " + now);
        }
        now = at;
        plan.advance(at);
    }

    /** Removes a job that is neither queued nor running. */
    private void leave(int job) {
        for (int i = 0; jobs.dependents > 0 && i < queue.size; i++) {
            int j = queue.order[i];
            if (jobs.after[j] == job) {
                jobs.after[j] = JobTable.NONE;
                jobs.checked[j] = -1;
                jobs.dependents--;
                jobs.submit[j] = policy.order().multifactor() == null ? jobs.submit[j] : now;
            }
        }
        jobs.remove(job);
    }
}
