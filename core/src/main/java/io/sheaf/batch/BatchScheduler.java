package io.sheaf.batch;

/**
 * A batch scheduler: receives reports from a driver and returns job starts.
 *
 * <p>Times are milliseconds on the driver's clock and never decrease from call to call. A job is identified by its <em>handle</em>, which is valid
 * from {@link #submit} until the job ends or is cancelled. The scheduler may then reuse it.
 *
 * <h2>One instant</h2>
 * The driver reports everything at one instant in fixed micro-steps:
 *
 * <ol>
 *   <li><b>ends</b>: {@link #complete} for each job that ended by itself, in order of submission;
 *   <li><b>kills</b>: {@link #complete} for each job that reached its walltime;
 *   <li><b>cancels</b>: {@link #cancel}, {@link #hold}, {@link #shorten};
 *   <li><b>arrivals</b>: {@link #submit}, {@link #release}, in order of arrival;
 *   <li><b>pass</b>: one {@link #pass}, which starts the jobs that can start;
 *   <li><b>consequences</b>: further events at the same instant (jobs of zero length end, dependents are released) are another round of the same
 *       steps.
 * </ol>
 * The scheduler never receives actual run times, so it cannot use future information.
 */
public interface BatchScheduler {
    /** No such instant. */
    long NEVER = Long.MAX_VALUE;

    /** {@link #submit}: more units than the cluster has. */
    int TOO_LARGE = -1;

    /** {@link #submit}: the user has reached the maximum number of jobs in the system. */
    int TOO_MANY = -2;

    /** Adds a job to the queue. Returns its handle, or {@link #TOO_LARGE} or {@link #TOO_MANY} if it is refused. */
    int submit(long at, Submission job);

    /** A running job ended, by itself or at its walltime. */
    void complete(int job, long at);

    /** Removes a job, queued or running. Jobs that depend on it are released, as after any other end. */
    void cancel(int job, long at);

    /** Lowers the walltime of a queued job. */
    void shorten(int job, long walltime, long at);

    /** Excludes a queued job from scheduling until {@link #release}; it loses its planned start, not its age. */
    void hold(int job, long at);

    void release(int job, long at);

    /** Changes the external priority; effective from the next pass or re-planning. */
    void prioritise(int job, long priority, long at);

    /** Keeps {@code units} free from {@code from} until {@code to}; returns a number for {@link #unreserve}. */
    int reserve(int units, long from, long to, long at);

    void unreserve(int reservation, long at);

    /** Changes the number of units of the cluster (drained or returned nodes). Running jobs keep theirs. */
    void resize(int capacity, long at);

    /**
     * Starts the jobs that can start now. Writes their handles to {@code started}, in queue order, and returns their number. The array must be as
     * long as the queue.
     */
    int pass(long at, int[] started);

    /**
     * The first instant after the last pass at which a pass could start a job without any report since: a planned start, a not-before or
     * the end of a reservation; {@link #NEVER} if none.
     */
    long nextPass();

    /** The number of queued jobs. */
    int queued();

    /** The start planned for a queued job at present, the start of a running one, or {@link #NEVER}. */
    long start(int job);

    /** The end of a running job's walltime. */
    long limit(int job);

    /** The promised start of a job submitted now or, without promises, its start if no other job arrives. */
    long estimate(long at, Submission job);
}
