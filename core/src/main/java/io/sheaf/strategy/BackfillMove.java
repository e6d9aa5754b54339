package io.sheaf.strategy;

import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.PoolStarts;
import org.jspecify.annotations.Nullable;

/**
 * Submits the largest job that starts at once, although it may not shorten the run by itself, where the run would otherwise end late.
 *
 * <p>A plan that ends late waits for a job that starts late. Short jobs before it seem to gain nothing if a long task keeps to that job; but that task becomes ready earlier, and then a job of its
 * length may start earlier. Strategies that submit a job for each task get through such queues task by task. So while no queued job starts soon, and the run ends later than half again as much time
 * as it needs on free nodes, gaps are filled: with as many nodes, for up to sixteen times the longest ready task, as start now. Such a job must not cost more than it gains.
 */
final class BackfillMove implements Move {
    private static final double LATE = 1.5;
    private static final int LONGEST = 16;
    private static final int QUARTERS = 4;

    private final Planning planning;
    private final long[] readyRuns;
    private final long fastest;

    /**
     * A move at one instant.
     *
     * @param readyRuns the run times of the ready tasks, ascending, in milliseconds
     * @param fastest the run time of all unfinished tasks on as many nodes as they can use, in milliseconds
     */
    BackfillMove(Planning planning, long[] readyRuns, long fastest) {
        this.planning = planning;
        this.readyRuns = readyRuns;
        this.fastest = fastest;
    }

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        if (!planning.mayFillGaps(plan.plan())
                || !planning.isEstimated()
                || plan.end() - planning.now() < LATE * fastest
                || planning.startsSoon(plan)) {
            return plan;
        }
        Request request = largest();
        if (request == null) {
            return plan;
        }
        ScoredPlan with = planning.submitting(plan, planning.together(plan.plan(), request, 1), request, 1);
        if (with.cost() > plan.cost() + planning.difference(plan.end())) {
            return plan;
        }
        planning.considered().chosen("these nodes are free now, and other jobs start late");
        return with;
    }

    /** The job that starts at once with the most node time; null if none does. */
    private @Nullable Request largest() {
        Request largest = null;
        long most = 0;
        int ready = readyRuns.length;
        for (int part = LONGEST; part >= 1; part /= 2) {
            Request each = atOnce(ready, readyRuns[ready - 1] * part);
            if (each != null && each.units() * each.walltime() > most) {
                most = each.units() * each.walltime();
                largest = each;
            }
        }
        for (int quarter = QUARTERS - 1; quarter > 0 && largest == null; quarter--) {
            int tasks = (ready * quarter + QUARTERS - 1) / QUARTERS;
            largest = atOnce(tasks, readyRuns[tasks - 1]);
        }
        return largest;
    }

    /** The widest job for a run time that starts at once and has nodes for no more than a number of tasks; null if none does. */
    private @Nullable Request atOnce(int tasks, long run) {
        View view = planning.view();
        int least = planning.minNodes();
        int most = (int) Math.min(view.nodes(), (long) tasks * least);
        PoolStarts starts = new PoolStarts(view.pools(), planning.estimator());
        long walltime =
                planning.walltime(least, Math.min(run, planning.rollout().alone(least)));
        int nodes = starts.mostNow(planning.now(), most, walltime);
        if (nodes < least) {
            return null;
        }
        long needed =
                Math.min(walltime, planning.walltime(nodes, planning.rollout().alone(nodes)));
        return Request.of(nodes, needed)
                .in(starts.of(planning.now(), nodes, needed).pool(0));
    }
}
