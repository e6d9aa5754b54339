package io.sheaf.planner;

/**
 * The Executor: whenever an element is free, binds the policy's next job to the free element with the earliest finish time.
 *
 * <p>Data are on the element on which their job ran. A transfer to another element takes the edge's cost, to the same element no time. A job that
 * waits for its data occupies its element. If the next job fits on no element, the Executor waits for it, so that no job starves.
 */
public final class Executor {
    /** When a data transfer starts. */
    public enum Transfer {
        /** When the producing job ends, as in HEFT: data are transferred while the next job waits in the pool. */
        AT_END,
        /** When the consuming job is bound, because its element is unknown before. */
        AT_BINDING
    }

    /** Receives the bindings. */
    @FunctionalInterface
    public interface Bindings {
        /**
         * A job was bound now and occupies its element until it ends.
         *
         * @param start when its data have arrived
         * @param end when it is expected to end
         */
        void bound(DagPlanner workflow, int task, int element, long start, long end);
    }

    private static final long NOTHING = Long.MIN_VALUE;

    private final JobPool pool;
    private final PoolPolicy policy;
    private final Elements elements;
    private final Transfer transfer;
    /** When the current job's data are available on every element, and the element on which they are available earlier. */
    private long everywhere;

    private int nearest;
    private long atNearest;

    public Executor(JobPool pool, PoolPolicy policy, Elements elements, Transfer transfer) {
        this.pool = pool;
        this.policy = policy;
        this.elements = elements;
        this.transfer = transfer;
    }

    /** Binds jobs while jobs and free elements are available. */
    public void schedule(long now, Bindings out) {
        while (pool.ready() > 0 && elements.anyFree()) {
            DagPlanner workflow = policy.workflow(pool);
            int task = policy.task(pool, workflow);
            int element = earliestFinish(now, workflow, task);
            if (element < 0) {
                return;
            }
            pool.assign(workflow, task);
            elements.allocate(element, workflow.dag().share());
            long start = Math.max(now, element == nearest ? atNearest : everywhere);
            out.bound(
                    workflow,
                    task,
                    element,
                    start,
                    start + elements.millis(element, workflow.dag().millis(task)));
        }
    }

    /** Marks a job as done and frees its element; its children may become ready. */
    public void done(DagPlanner workflow, int task, int element, long at) {
        elements.release(element, workflow.dag().share());
        pool.done(workflow, task, element, at);
    }

    /**
     * The free element with the earliest finish time of a job; -1 if it fits on none.
     *
     * <p>The last data to arrive come from one element and reach all others at the same time. So only that element and the fastest other one are
     * compared.
     */
    private int earliestFinish(long now, DagPlanner workflow, int task) {
        locate(now, workflow, task);
        int share = workflow.dag().share();
        long work = workflow.dag().millis(task);
        int other = elements.fastest(share, nearest);
        if (nearest < 0 || !elements.fits(nearest, share)) {
            return other;
        }
        if (other < 0) {
            return nearest;
        }
        long finish = Math.max(now, atNearest) + elements.millis(nearest, work);
        long otherFinish = Math.max(now, everywhere) + elements.millis(other, work);
        return finish < otherFinish || (finish == otherFinish && nearest < other) ? nearest : other;
    }

    private void locate(long now, DagPlanner workflow, int task) {
        RankedDag dag = workflow.dag();
        everywhere = NOTHING;
        atNearest = NOTHING;
        nearest = -1;
        for (int i = dag.firstParent(task); i < dag.firstParent(task + 1); i++) {
            int parent = dag.parent(i);
            int element = workflow.element(parent);
            long arrives = (transfer == Transfer.AT_END ? workflow.end(parent) : now) + dag.cost(i);
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
