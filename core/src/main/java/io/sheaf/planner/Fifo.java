package io.sheaf.planner;

/** FIFO: selects the job that entered the pool first. */
final class Fifo implements PoolPolicy {
    @Override
    public DagPlanner workflow(JobPool pool) {
        DagPlanner best = pool.workflow(0);
        int first = best.entry(best.oldest());
        for (int i = 1; i < pool.workflows(); i++) {
            DagPlanner each = pool.workflow(i);
            int entry = each.entry(each.oldest());
            if (entry < first) {
                best = each;
                first = entry;
            }
        }
        return best;
    }

    @Override
    public int task(JobPool pool, DagPlanner of) {
        return of.oldest();
    }
}
