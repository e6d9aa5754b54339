package io.sheaf.strategy;

import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.PoolStarts;
import org.jspecify.annotations.Nullable;

/**
 * Submits the largest job that starts at once, else a small one that starts early, although it may not shorten the run by itself, where the run would otherwise end late.
 *
 * <p>A plan that ends late waits for a job that starts late. Short jobs before it seem to gain nothing if a long task keeps to that job; but that task becomes ready earlier, and then a job of its
 * length may start earlier. Strategies that submit a job for each task get through such queues task by task. So while the run ends later than half again as much time as it needs on free
 * nodes, also if counted from the start of a job that starts soon, gaps are filled: with as many nodes, for up to sixteen times the longest ready task, as start now. If none does, one small job may wait
 * that starts long before the others. Such a job may cost a twentieth of the remaining time, and running jobs are not drained.
 *
 * @param readyRuns the run times of the ready tasks, ascending, in milliseconds
 * @param fastest the run time of all unfinished tasks on as many nodes as they can use, in milliseconds
 */
@SuppressWarnings("ArrayRecordComponent")
record BackfillMove(Planning planning, long[] readyRuns, long fastest) implements Move {
    private static final double LATE = 1.5;

    /** The cost of a gap that is filled, as a part of the remaining time. */
    private static final double MOST_COST = 0.05;

    private static final int LONGEST = 16;
    private static final int QUARTERS = 4;

    /** Whether a run ends late, from now on or from the start of a queued job that starts soon. */
    static boolean isLate(Planning planning, ScoredPlan plan, long fastest) {
        long from = planning.startsSoon(plan) ? plan.plan().firstQueuedStart() : planning.now();
        return plan.end() - from >= LATE * fastest;
    }

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        if (!planning.mayFillGaps(plan.plan()) || !planning.isEstimated() || !isLate(planning, plan, fastest)) {
            return plan;
        }
        Request request = largest();
        boolean free = request != null;
        request =
                free || planning.startsSoon(plan) ? request : early(plan.plan().firstQueuedStart());
        if (request == null) {
            return plan;
        }
        ScoredPlan with = planning.submitting(plan, planning.together(plan.plan(), request, 1), request, 1);
        double most = Math.max(planning.difference(plan.end()), MOST_COST * (plan.end() - planning.now()));
        if (with.cost() > plan.cost() + most) {
            return plan;
        }
        planning.considered()
                .chosen((free ? "these nodes are free now" : "a short job starts early")
                        + ", and other jobs start late");
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

    /** The longest job of the fewest nodes, for ready tasks up to a quartile of their run times, that starts within a quarter of the time until an instant; null if none does. */
    private @Nullable Request early(long instant) {
        int nodes = planning.minNodes();
        PoolStarts starts = new PoolStarts(planning.view().pools(), planning.estimator());
        for (int quarter = QUARTERS; quarter > 0; quarter--) {
            long run = readyRuns[(readyRuns.length * quarter + QUARTERS - 1) / QUARTERS - 1];
            long walltime = planning.walltime(nodes, run);
            starts.of(planning.now(), nodes, walltime);
            if (starts.start(0) - planning.now() < (instant - planning.now()) / QUARTERS) {
                return Request.of(nodes, walltime).in(starts.pool(0));
            }
        }
        return null;
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
