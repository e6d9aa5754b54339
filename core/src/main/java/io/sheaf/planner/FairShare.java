package io.sheaf.planner;

/** Weighted fair share: selects the owner with the least weighted usage, then the workflow that arrived first, then the job of the highest rank. */
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
