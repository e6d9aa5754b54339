package io.sheaf.planner;

/**
 * Says which ready job of many workflows goes next.
 *
 * <p>It sees ranks, remaining work, owners and the order of arrival, but no clock, and it keeps nothing: for the same pool it says the same. A pool that is asked
 * about has a ready job.
 */
public interface PoolPolicy {
    /** The workflow whose job goes next. */
    DagPlanner workflow(JobPool pool);

    /** Which of its ready jobs. */
    int task(JobPool pool, DagPlanner of);
}
