package io.sheaf.planner;

/**
 * RANK_HYBD of Yu and Shi (Figure 3): the lowest rank first if ready jobs belong to several workflows, else the highest.
 *
 * <p>A low rank means that little work is left in a workflow, so nearly finished workflows go first. For a single workflow the order is HEFT's.
 */
final class RankHybd implements PoolPolicy {
    @Override
    public DagPlanner workflow(JobPool pool) {
        DagPlanner best = pool.workflow(0);
        long least = rank(best);
        for (int i = 1; i < pool.workflows(); i++) {
            DagPlanner each = pool.workflow(i);
            long rank = rank(each);
            if (rank < least || (rank == least && each.arrival() < best.arrival())) {
                best = each;
                least = rank;
            }
        }
        return best;
    }

    private static long rank(DagPlanner planner) {
        return planner.dag().rank(planner.lowest());
    }

    @Override
    public int task(JobPool pool, DagPlanner of) {
        boolean multiple = pool.workflows() > 1;
        return multiple ? of.lowest() : of.highest();
    }
}
