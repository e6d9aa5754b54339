package io.sheaf.batch;

/**
 * A batch scheduler as its driver sees it: reports go in, starts come out.
 *
 * <p>Times are milliseconds on the driver's clock and never decrease from call to call. A job is known by its <em>handle</em>,
 * which is valid from {@link #submit} until the job ends or is cancelled, and may be given to another job afterwards.
 *
 * <h2>One instant</h2>
 * Everything that falls on one instant is reported in fixed micro-steps:
 * <ol>
 *   <li><b>ends</b>: {@link #complete} for each job that ended by itself, in order of submission;
 *   <li><b>kills</b>: {@link #complete} for each job whose walltime is over;
 *   <li><b>cancels</b>: {@link #cancel}, {@link #hold}, {@link #shorten};
 *   <li><b>arrivals</b>: {@link #submit}, {@link #release}, in order of arrival;
 *   <li><b>pass</b>: one {@link #pass}, which starts what can start;
 *   <li><b>consequences</b>: what follows at the same instant (jobs of no length end, dependents are released) is a further
 *       round of the same steps.
 * </ol>
 * The scheduler is never told how long a job will run, so looking ahead is impossible by type.
 */
public interface BatchScheduler {
    /** No such instant. */
    long NEVER = Long.MAX_VALUE;

    /** {@link #submit}: more units than the cluster has. */
    int TOO_LARGE = -1;

    /** {@link #submit}: the user has as many jobs in the system as allowed. */
    int TOO_MANY = -2;

    /** Adds a job to the queue. Returns its handle, or {@link #TOO_LARGE} or {@link #TOO_MANY} if it is refused. */
    int submit(long at, Submission job);

    /** A running job ended, by itself or because its walltime was over. */
    void complete(int job, long at);

    /** Removes a job, queued or running. Jobs that depend on it are released, as after any other end. */
    void cancel(int job, long at);

    /** Lowers the walltime of a queued job. */
    void shorten(int job, long walltime, long at);

    /** Takes a queued job out of consideration until {@link #release}; it loses its planned start, not its age. */
    void hold(int job, long at);

    void release(int job, long at);

    /** Changes the priority given from outside; it counts from the next pass or re-planning on. */
    void prioritise(int job, long priority, long at);

    /** Keeps {@code units} free from {@code from} until {@code to}; returns a number for {@link #unreserve}. */
    int reserve(int units, long from, long to, long at);

    void unreserve(int reservation, long at);

    /** Changes how many units the cluster has (drained or returned nodes). Running jobs keep theirs. */
    void resize(int capacity, long at);

    /**
     * Starts what can start now. The handles go to {@code started}, in queue order; returns how many. The array must be as long
     * as the queue.
     */
    int pass(long at, int[] started);

    /**
     * The first instant after the last pass at which a pass could start a job without any report since: a planned start, a not-before or
     * the end of a reservation; {@link #NEVER} if none.
     */
    long nextPass();

    /** How many jobs are queued. */
    int queued();

    /** The start planned for a queued job at present, the start of a running one, or {@link #NEVER}. */
    long start(int job);

    /** The end of a running job's walltime. */
    long limit(int job);

    /** The start that a job submitted now would be promised, or, where nothing is promised, would have if nothing else came. */
    long estimate(long at, Submission job);
}
