package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import java.util.List;

/**
 * Submits the next job of a chain, where walltimes are limited and the present jobs leave tasks: the job may start when the last one of the chain, running or queued, has ended.
 *
 * <p>A job that starts before its tasks are ready would be idle, and one that is submitted when they are ready waits behind all jobs that arrived until then. A dependency avoids both: the job
 * has its place in the queue early. Tries node counts from the minimum on, and requests the time of all unfinished tasks: other jobs may run fewer of them than planned. Only while all queued jobs of the run are successors, and few.
 */
record SuccessorMove(Planning planning) implements Move {
    /** The maximum number of queued successors. */
    private static final int MOST = 4;

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        View view = planning.view();
        int last = lastToEnd(plan);
        if (!planning.isLimited()
                || plan.result().isComplete()
                || view.isAwaited()
                || last < 0
                || !isChain(plan.plan())
                || planning.estimator().basis() == Basis.NONE) {
            return plan;
        }
        Plan.Job predecessor = plan.plan().job(last);
        long start = plan.result().lastEnd(last);
        int requested = plan.plan().fallback.nodes();
        // Its pool has room for as many nodes as the predecessor has.
        int most = Math.max(
                planning.minNodes(),
                predecessor.pool() == Pools.ANY ? requested : Math.min(requested, predecessor.nodes()));
        ScoredPlan best = null;
        for (int nodes = planning.minNodes();
                nodes <= most;
                nodes = nodes == most ? most + 1 : Math.min(most, 2 * nodes)) {
            ScoredPlan with = planning.score(plan.plan().with(Plan.Job.toSubmit(nodes, view.walltime(nodes), start)));
            boolean possible = !planning.cost().isTooMuch(with.result().nodeMillis());
            best = possible && (best == null || with.cost() < best.cost()) ? with : best;
        }
        int added = plan.plan().size();
        if (best == null || best.result().lastEnd(added) <= start) {
            return plan;
        }
        planning.considered().chosen("the next job of a chain, after the end of the last one");
        int nodes = best.plan().job(added).nodes();
        long walltime = planning.walltime(nodes, planning.rollout().alone(nodes));
        Request request = Request.of(nodes, walltime).in(predecessor.pool()).after(predecessor.token());
        return best.reached(plan, planning.submit(request));
    }

    /** Whether all queued jobs are successors of others, and few. */
    private static boolean isChain(Plan plan) {
        List<Plan.Job> queued = plan.jobs().filter(Plan.Job::isQueued).toList();
        return queued.size() < MOST && queued.stream().allMatch(Plan.Job::isSuccessor);
    }

    /** The running or queued job whose tasks end last; −1 if there is none. */
    private static int lastToEnd(ScoredPlan plan) {
        int last = -1;
        for (int i = 0; i < plan.plan().size(); i++) {
            Plan.Job job = plan.plan().job(i);
            boolean runs = (job.state() == Plan.State.BUSY || job.state() == Plan.State.QUEUED) && !job.cancelled();
            last = runs && (last < 0 || plan.result().lastEnd(i) > plan.result().lastEnd(last)) ? i : last;
        }
        return last;
    }
}
