package io.sheaf.strategy;

import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import org.jspecify.annotations.Nullable;

/**
 * Submits several equal jobs at once, where no single job gains enough: narrow jobs side by side fit into gaps that are too small for one job of as many nodes.
 *
 * <p>Tries 1, 2, 4 and 8 times the minimum nodes, 2 to 16 jobs, and three run times: that of all unfinished tasks on the nodes of all these jobs, a quarter of it, and the longest ready
 * task. The starts are estimated with all jobs in the queue together. Nothing is split while a queued job starts soon: narrow jobs would take its nodes.
 *
 * @param longestReady the run time of the longest ready task, in milliseconds
 * @param most the maximum number of jobs to submit
 * @param room the maximum number of these jobs that do not start at once
 */
record SplitMove(Planning planning, long longestReady, int most, int room) implements Move {
    private static final int MOST_JOBS = 16;
    private static final int MOST_TIMES_NODES = 8;
    private static final int QUARTERS = 4;

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        boolean waits = planning.view().nextReady(0) >= 0 && !planning.view().isAwaited();
        boolean soon = planning.startsSoon(plan);
        if (!waits
                || soon
                || plan.plan().cancelsQueued()
                || planning.estimator().basis() == Basis.NONE) {
            return plan;
        }
        int mostJobs = Math.min(MOST_JOBS, most);
        int widest = Math.min(planning.view().nodes(), MOST_TIMES_NODES * planning.minNodes());
        ScoredPlan best = null;
        double least = plan.cost() - planning.leastGain(plan.end());
        for (int nodes = planning.minNodes(); nodes <= widest; nodes *= 2) {
            for (int jobs = 2;
                    jobs <= mostJobs && jobs * nodes <= planning.view().nodes();
                    jobs *= 2) {
                ScoredPlan split = cheapest(plan, nodes, jobs);
                if (split != null && split.cost() < least) {
                    least = split.cost();
                    best = split;
                }
            }
        }
        if (best == null) {
            return plan;
        }
        planning.considered().chosen("several narrow jobs start earlier than one wide job");
        return best;
    }

    /** The cheapest plan with some more jobs of equal nodes, over their run times; null if each would allocate too much, end too late, or start too late to be of use. */
    private @Nullable ScoredPlan cheapest(ScoredPlan plan, int nodes, int jobs) {
        long whole = planning.rollout().alone(nodes * jobs);
        long quarter = Math.max(longestReady, whole / QUARTERS);
        ScoredPlan best = null;
        long before = Long.MAX_VALUE;
        for (long run : new long[] {whole, quarter, longestReady}) {
            if (run < before) {
                before = run;
                ScoredPlan with = with(plan, planning.request(nodes, planning.walltime(nodes, run)), jobs);
                if (with != null
                        && !planning.cost().isTooMuch(with.result().nodeMillis())
                        && planning.cost().isInTime(with.end(), plan.end())
                        && (best == null || with.cost() < best.cost())) {
                    best = with;
                }
            }
        }
        return best;
    }

    private @Nullable ScoredPlan with(ScoredPlan plan, Request request, int jobs) {
        Plan with = planning.together(plan.plan(), request, jobs);
        int waiting = 0;
        for (int i = plan.plan().size(); i < with.size(); i++) {
            waiting += with.job(i).start() > planning.now() ? 1 : 0;
        }
        boolean late = with.job(plan.plan().size()).start() >= plan.end();
        return waiting > room || late ? null : planning.submitting(plan, with, request, jobs);
    }
}
