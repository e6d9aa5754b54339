package io.sheaf.strategy;

import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;

/**
 * Submits a short job of few nodes beside a long queued one, where run times of tasks are the user's upper limits.
 *
 * <p>A job that is requested by such limits is long and waits long. A short one can be backfilled: it fits any ready task, finds out the real run times, and may run all tasks.
 * None is submitted while a job of the run is running, which finds them out as well, unless a program submits the tasks one by one: what is submitted job by job
 * elsewhere uses such gaps, too.
 */
record ScoutMove(Planning planning) implements Move {
    /** The maximum number of short jobs in the queue. */
    private static final int MOST = 3;

    /** If a longer job starts within this time, no scout is needed. */
    private static final long SOON = MINUTE;

    /** The time in which its agents connect; after it a task must still fit. */
    private static final long CONNECTING = 5_000;

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        View view = planning.view();
        if (!view.isAmple()
                || view.nextReady(0) < 0
                || plan.plan().cancelsQueued()
                || (plan.plan().hasRunning() && !view.isAwaited())
                || plan.plan().queuedTokens().length == 0
                || planning.estimator().basis() == Basis.NONE) {
            return plan;
        }
        int nodes = planning.minNodes();
        long walltime = Math.min(view.walltime(nodes), planning.profile().enough(longestReady(view) + CONNECTING));
        Request request = planning.request(nodes, walltime);
        if (!isUseful(plan.plan(), request)) {
            return plan;
        }
        planning.considered().chosen("a short job may start earlier, and tasks may take less than their limit");
        return planning.score(plan.plan().with(Plan.Job.toSubmit(request, planning.now())))
                .reached(plan, planning.submit(request));
    }

    /**
     * Whether all longer jobs wait for some time and there are few scouts. The start of the scout is not estimated: it depends on jobs that end before their walltime, and on
     * how often the batch system backfills.
     */
    private boolean isUseful(Plan plan, Request request) {
        long[] queued = plan.queuedTokens();
        StartTimes starts = planning.estimator()
                .estimate(StartQuery.ofQueued(planning.now(), queued, queued.length)
                        .add(request.pool(), request.units(), request.walltime()));
        long first = StartTimes.NEVER;
        int scouts = 0;
        int q = 0;
        for (int i = 0; i < plan.size(); i++) {
            Plan.Job job = plan.job(i);
            if (job.isQueued()) {
                long start = starts.queued(q++);
                if (job.walltime() > request.walltime()) {
                    first = Math.min(first, start == StartTimes.NEVER ? startAlone(job) : start);
                } else {
                    scouts++;
                }
            }
        }
        return scouts < MOST && first < StartTimes.NEVER && first - planning.now() > SOON;
    }

    private static long longestReady(View view) {
        return view.readyTasks().mapToLong(view::room).max().orElse(0);
    }

    /** The start of a queued job that the batch system does not show yet. */
    private long startAlone(Plan.Job job) {
        return planning.estimator()
                .estimate(StartQuery.of(planning.now(), job.pool(), job.nodes(), job.walltime()))
                .job(0);
    }
}
