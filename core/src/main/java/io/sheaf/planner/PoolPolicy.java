package io.sheaf.planner;

/**
 * Selects the next ready job among many workflows.
 *
 * <p>A policy uses ranks, remaining work, owners and the order of arrival, but no clock. It is stateless: the same pool gives the same choice. The
 * pool must contain a ready job.
 */
public interface PoolPolicy {
    DagPlanner workflow(JobPool pool);

    /** The next job among the ready jobs of the workflow. */
    int task(JobPool pool, DagPlanner workflow);
}
