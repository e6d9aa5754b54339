package io.sheaf.planner;

/**
 * Selects the workflow with the least work left, then its job of the highest rank.
 *
 * <p>This is shortest remaining time first, with work for time: on one element it minimizes the mean turnaround (Schrage, 1968). Large workflows wait
 * while small ones keep arriving.
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
