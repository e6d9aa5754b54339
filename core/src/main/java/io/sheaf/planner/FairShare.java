package io.sheaf.planner;

/** Weighted fair share: the owner who had the least for their weight, of them the workflow that came first, and of it the job of the highest rank. */
final class FairShare implements PoolPolicy {
    @Override
    public DagPlanner workflow(JobPool pool) {
        DagPlanner best = pool.workflow(0);
        for (int i = 1; i < pool.workflows(); i++) {
            DagPlanner each = pool.workflow(i);
            double had = each.owner().had();
            double least = best.owner().had();
            if (had < least || (had == least && each.arrival() < best.arrival())) {
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
