package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartQuery;

/**
 * Submits short jobs of few nodes beside long queued ones that start late, although they are not estimated to start earlier.
 *
 * <p>Estimates assume that other users' jobs use all of their walltime. Most end earlier, and then a job that fits into the gap is backfilled at once. So while no job of the run
 * runs, two small ones wait in each pool: one for the longest ready task, and one of sixteen times that time. Neither is needed if a queued job starts soon. Where run times are upper limits,
 * there are {@linkplain ScoutMove scouts} instead. A hedge that costs more than it gains at its estimated start would soon be cancelled, and is not submitted.
 *
 * <p>Without estimates, hedges of three run times are added one by one while jobs wait, until a job runs that has time for all unfinished tasks.
 *
 * @param longestReady the run time of the longest ready task, in milliseconds
 */
record HedgeMove(Planning planning, long longestReady) implements Move {
    private static final int MOST = 2;
    private static final int LONGER = 16;

    /** Without estimates one more hedge may wait for each time of this length that the first job has waited. */
    private static final long PATIENCE = 5 * MINUTE;

    private static final int MOST_WITHOUT_ESTIMATES = 4;

    /** The least run time of a hedge without estimates: a shorter one would soon be followed by another. */
    private static final long LEAST_RUN = 10 * MINUTE;

    private static final int[] TIMES = {1, 4, LONGER};

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        if (!planning.mayFillGaps(plan.plan())) {
            return plan;
        }
        if (!planning.isEstimated()) {
            return planning.isServed(plan.plan()) ? plan : withoutEstimates(plan);
        }
        if (plan.plan().hasRunning() || planning.startsSoon(plan)) {
            return plan;
        }
        int nodes = planning.minNodes();
        long most = planning.rollout().alone(nodes);
        long shortest = Math.min(most, longestReady);
        long longest = Math.min(most, shortest * LONGER);
        int pool = leastHedged(plan.plan(), nodes, longest, shortest);
        int there = hedges(plan.plan(), pool, nodes, planning.walltime(nodes, longest));
        if (there >= MOST) {
            return plan;
        }
        Request request = Request.of(nodes, planning.walltime(nodes, there == 0 ? shortest : longest))
                .in(pool);
        Plan together = planning.together(plan.plan(), request, 1);
        ScoredPlan with = planning.submitting(plan, together, request, 1);
        if (with.cost() > plan.cost() + planning.difference(plan.end())) {
            return plan;
        }
        planning.considered().chosen("a short job starts first if nodes become free early");
        return with;
    }

    /** Adds a hedge if few of them wait for how long the first job has waited. Their times differ, because nothing is known of the gaps. */
    private ScoredPlan withoutEstimates(ScoredPlan plan) {
        int nodes = planning.minNodes();
        long most = planning.rollout().alone(nodes);
        long waited = planning.now() - plan.plan().firstSubmission();
        int there = (int) plan.plan()
                .jobs()
                .filter(job -> job.isQueued() && job.nodes() <= nodes && job.submittedAt() > planning.now() - waited)
                .count();
        if (there >= Math.min(MOST_WITHOUT_ESTIMATES, waited / PATIENCE)) {
            return plan;
        }
        long run = Math.min(most, Math.max(LEAST_RUN, longestReady) * TIMES[there % TIMES.length]);
        Request request = planning.request(nodes, planning.walltime(nodes, run));
        Plan with = plan.plan().with(Plan.Job.toSubmit(request, planning.now()));
        ScoredPlan scored = planning.submitting(plan, with, request, 1);
        if (planning.cost().isTooMuch(scored.result().nodeMillis())) {
            return plan;
        }
        planning.considered().chosen("no job has started, and a short one may start earlier");
        return scored;
    }

    /** The pool with the fewest hedges, of equal ones that in which one starts first. */
    private int leastHedged(Plan plan, int nodes, long longest, long shortest) {
        Pools pools = planning.view().pools();
        int best = Pools.ANY;
        int fewest = Integer.MAX_VALUE;
        long first = Long.MAX_VALUE;
        for (int pool = 1; pool <= pools.count(); pool++) {
            int there = hedges(plan, pool, nodes, planning.walltime(nodes, longest));
            long walltime = planning.walltime(nodes, there == 0 ? shortest : longest);
            if (there <= fewest && pools.allows(pool, nodes, walltime) && runsAny(pools, pool, nodes)) {
                long start = planning.estimator()
                        .estimate(StartQuery.of(planning.now(), pool, nodes, walltime))
                        .job(0);
                if (there < fewest || start < first) {
                    best = pool;
                    fewest = there;
                    first = start;
                }
            }
        }
        return best;
    }

    /** Whether some task fits on nodes of a pool. */
    private boolean runsAny(Pools pools, int pool, int nodes) {
        return !pools.areUnequal() || planning.rollout().alone(nodes, pool) > 1;
    }

    /** The number of queued jobs of a pool that are as small as a hedge. */
    private static int hedges(Plan plan, int pool, int nodes, long walltime) {
        return (int) plan.jobs()
                .filter(job -> job.isQueued() && job.pool() == pool)
                .filter(job -> job.nodes() <= nodes && job.walltime() <= walltime)
                .count();
    }
}
