package io.sheaf.planner;

/**
 * The Executor: whenever an element is free it asks the policy for the next job, and binds it to the free element on which it ends first.
 *
 * <p>Data lie on the element on which their job ran. To another one they take as long as the edge costs, to the same one no time. A job that waits for its data holds its
 * element. A job that is next but fits on no element is waited for: none is passed by, so that none starves.
 */
public final class Executor {
    /** When data start on their way. */
    public enum Transfer {
        /** When the job that made them ends, as HEFT counts: they are on their way while the next job waits in the pool. */
        AT_END,
        /** When the job that needs them is bound: not before is it known where they are needed. */
        AT_BINDING
    }

    /** Is told what was bound. */
    @FunctionalInterface
    public interface Bindings {
        /**
         * A job was bound, now; its element is held until it ends.
         *
         * @param start when its data are there
         * @param end when it is expected to end
         */
        void bound(DagPlanner of, int task, int element, long start, long end);
    }

    private static final long NOTHING = Long.MIN_VALUE;

    private final JobPool pool;
    private final PoolPolicy policy;
    private final Elements elements;
    private final Transfer transfer;
    /** When the data of the job in hand are everywhere, and the element that waits the shortest for them: there they are earlier. */
    private long everywhere;

    private int nearest;
    private long atNearest;

    public Executor(JobPool pool, PoolPolicy policy, Elements elements, Transfer transfer) {
        this.pool = pool;
        this.policy = policy;
        this.elements = elements;
        this.transfer = transfer;
    }

    /** Binds jobs as long as there are some, and elements for them. */
    public void schedule(long now, Bindings out) {
        while (pool.ready() > 0 && elements.anyFree()) {
            DagPlanner of = policy.workflow(pool);
            int task = policy.task(pool, of);
            int element = earliestFinish(now, of, task);
            if (element < 0) {
                return;
            }
            pool.take(of, task);
            elements.hold(element, of.dag().share());
            long start = Math.max(now, element == nearest ? atNearest : everywhere);
            out.bound(
                    of,
                    task,
                    element,
                    start,
                    start + elements.millis(element, of.dag().millis(task)));
        }
    }

    /** A job is done: what it held is free, and its children may be ready. */
    public void done(DagPlanner of, int task, int element, long at) {
        elements.release(element, of.dag().share());
        pool.done(of, task, element, at);
    }

    /**
     * The free element on which a job ends first; -1 if it fits on none.
     *
     * <p>The last data to arrive come from one element. On all others they arrive at the same time, so that only the fastest of these and that element are to be
     * compared.
     */
    private int earliestFinish(long now, DagPlanner of, int task) {
        locate(now, of, task);
        int share = of.dag().share();
        long work = of.dag().millis(task);
        int other = elements.fastest(share, nearest);
        if (nearest < 0 || !elements.fits(nearest, share)) {
            return other;
        }
        if (other < 0) {
            return nearest;
        }
        long there = Math.max(now, atNearest) + elements.millis(nearest, work);
        long elsewhere = Math.max(now, everywhere) + elements.millis(other, work);
        return there < elsewhere || (there == elsewhere && nearest < other) ? nearest : other;
    }

    private void locate(long now, DagPlanner of, int task) {
        RankedDag dag = of.dag();
        everywhere = NOTHING;
        atNearest = NOTHING;
        nearest = -1;
        for (int i = dag.firstParent(task); i < dag.firstParent(task + 1); i++) {
            int parent = dag.parent(i);
            int element = of.element(parent);
            long arrives = (transfer == Transfer.AT_END ? of.end(parent) : now) + dag.cost(i);
            if (arrives > everywhere) {
                if (element != nearest) {
                    atNearest = everywhere;
                    nearest = element;
                }
                everywhere = arrives;
            } else if (element != nearest) {
                atNearest = Math.max(atNearest, arrives);
            }
        }
    }
}
