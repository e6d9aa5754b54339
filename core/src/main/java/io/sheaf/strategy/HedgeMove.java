package io.sheaf.strategy;

import io.sheaf.manager.View;
import io.sheaf.predict.Basis;

/**
 * Submits short jobs of few nodes beside long queued ones that start late, although they are not estimated to start earlier.
 *
 * <p>Estimates assume that other users' jobs use all of their walltime. Most end earlier, and then a job that fits into the gap is backfilled at once. So while no job of the run
 * runs, two small ones wait: one for the longest ready task, and one of sixteen times that time. Neither is needed if a queued job starts soon. Where run times are upper limits,
 * there are {@linkplain ScoutMove scouts} instead. A hedge that costs more than it gains at its estimated start would soon be cancelled, and is not submitted.
 *
 * @param longestReady the run time of the longest ready task, in milliseconds
 */
record HedgeMove(Planning planning, long longestReady) implements Move {
    private static final int MOST = 2;
    private static final int LONGER = 16;

    /** If a queued job starts within this time, no hedge is needed. */
    static final long SOON = 10 * MINUTE;

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        View view = planning.view();
        if (view.nextReady(0) < 0
                || view.isAwaited()
                || view.isAmple()
                || plan.plan().cancelsQueued()
                || plan.plan().hasRunning()
                || ReplaceMove.isAnyUnanswered(plan.plan())
                || planning.estimator().basis() == Basis.NONE
                || plan.plan().queuedTokens().length == 0
                || plan.plan().firstQueuedStart() < planning.now() + SOON) {
            return plan;
        }
        int nodes = planning.minNodes();
        long most = planning.rollout().alone(nodes);
        long shortest = Math.min(most, longestReady);
        long longest = Math.min(most, shortest * LONGER);
        int there = hedges(plan.plan(), nodes, planning.walltime(longest));
        if (there >= MOST) {
            return plan;
        }
        long walltime = planning.walltime(there == 0 ? shortest : longest);
        Plan together = planning.together(plan.plan(), nodes, walltime, 1);
        ScoredPlan with = planning.submitting(plan, together, nodes, walltime, 1);
        if (with.cost() > plan.cost() + MINUTE) {
            return plan;
        }
        planning.considered().chosen("a short job starts first if nodes become free early");
        return with;
    }

    /** The number of queued jobs that are as small as a hedge. */
    private static int hedges(Plan plan, int nodes, long walltime) {
        int there = 0;
        for (int i = 0; i < plan.size(); i++) {
            Plan.Job job = plan.job(i);
            there += job.isQueued() && job.nodes() <= nodes && job.walltime() <= walltime ? 1 : 0;
        }
        return there;
    }
}
