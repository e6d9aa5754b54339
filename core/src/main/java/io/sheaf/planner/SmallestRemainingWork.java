package io.sheaf.planner;

/**
 * The workflow with the least work left first, and of it the job of the highest rank.
 *
 * <p>Shortest remaining time first, with work for time: on one element it makes the mean turnaround as short as can be (Schrage, 1968). Workflows large from the start wait while
 * small ones keep coming.
 */
final class SmallestRemainingWork implements PoolPolicy {
    @Override
    public DagPlanner workflow(JobPool pool) {
        DagPlanner best = pool.workflow(0);
        for (int i = 1; i < pool.workflows(); i++) {
            DagPlanner each = pool.workflow(i);
            if (each.remaining() < best.remaining()
                    || (each.remaining() == best.remaining() && each.arrival() < best.arrival())) {
                best = each;
            }
        }
        return best;
    }

    @Override
    public int task(JobPool pool, DagPlanner of) {
        return of.highest();
    }
}
