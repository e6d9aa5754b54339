package io.sheaf.strategy;

import io.sheaf.manager.Order;

/**
 * Shortens queued jobs to the walltime in which they could run all unfinished tasks by themselves; they keep their place in the queue.
 *
 * <p>The plan itself stays: the simulated jobs use no more than that. Nothing is shortened while more tasks are expected, or once a walltime was too short.
 */
record ShortenMove(Planning planning) implements Move {
    /** A job is shortened by a tenth of its walltime at least. */
    private static final int LEAST_PART = 10;

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        if (planning.view().expiries() > 0 || planning.view().isMoreExpected()) {
            return plan;
        }
        ScoredPlan shortened = plan;
        for (int i = 0; i < plan.plan().size(); i++) {
            Plan.Job job = plan.plan().job(i);
            if (job.isQueued() && job.nodes() >= planning.minNodes()) {
                long needed = planning.profile().request(planning.rollout().alone(job.nodes()));
                if (needed < job.walltime() - job.walltime() / LEAST_PART) {
                    shortened = shortened.reached(shortened, new Order.Shorten(job.token(), needed));
                }
            }
        }
        return shortened;
    }
}
