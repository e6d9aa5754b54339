package io.sheaf.planner;

/**
 * RANK_HF, the highest rank first: HEFT's order over all workflows (Yu and Shi, section III.C).
 *
 * <p>It favours late workflows and long jobs, because ranks decrease towards the end of a workflow.
 */
final class RankHf implements PoolPolicy {
    @Override
    public DagPlanner workflow(JobPool pool) {
        DagPlanner best = pool.workflow(0);
        long most = rank(best);
        for (int i = 1; i < pool.workflows(); i++) {
            DagPlanner each = pool.workflow(i);
            long rank = rank(each);
            if (rank > most || (rank == most && each.arrival() < best.arrival())) {
                best = each;
                most = rank;
            }
        }
        return best;
    }

    private static long rank(DagPlanner planner) {
        return planner.dag().rank(planner.highest());
    }

    @Override
    public int task(JobPool pool, DagPlanner of) {
        return of.highest();
    }
}
