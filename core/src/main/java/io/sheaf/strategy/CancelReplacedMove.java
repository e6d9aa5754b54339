package io.sheaf.strategy;

import io.sheaf.manager.Order;
import io.sheaf.predict.StartQuery;
import org.jspecify.annotations.Nullable;

/** Cancels a queued job after a narrower replacement is queued ({@link ReplaceMove}), if the run gains with the replacement's new start. */
record CancelReplacedMove(Planning planning) implements Move {
    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        if (!planning.isCertain() || !plan.result().isComplete()) {
            return plan;
        }
        for (int i = 0; i < plan.plan().size(); i++) {
            Plan.Job wide = plan.plan().job(i);
            for (int narrow = 0; narrow < plan.plan().size() && wide.isQueued(); narrow++) {
                Plan.Job job = plan.plan().job(narrow);
                ScoredPlan without = ReplaceMove.mayReplace(job, wide) ? without(plan, i, narrow) : null;
                if (without != null) {
                    String what = ReplaceMove.inPlaceOf(job.nodes(), wide.nodes());
                    planning.considered().chosen(what + " in the queue: the remaining tasks need no more");
                    return without.reached(plan, new Order.Cancel(wide.token()));
                }
            }
        }
        return plan;
    }

    /** The plan without a wide job; null if there is no gain. Uses the estimator only if a gain is possible. */
    private @Nullable ScoredPlan without(ScoredPlan plan, int i, int narrow) {
        Plan.Job wide = plan.plan().job(i);
        Plan.Job job = plan.plan().job(narrow);
        Plan without = plan.plan().cancelling(i);
        Plan atBest = without.with(narrow, job.startingAt(Math.min(job.start(), wide.start())));
        if (!ReplaceMove.isGain(planning, planning.score(atBest), plan)) {
            return null;
        }
        StartQuery query =
                StartQuery.ofQueued(planning.now(), new long[] {job.token()}, 1).cancelling(wide.token());
        long start =
                Math.max(planning.now(), planning.estimator().estimate(query).queued(0));
        if (start > wide.start()) {
            return null;
        }
        ScoredPlan scored = planning.score(without.with(narrow, job.startingAt(start)));
        return ReplaceMove.isGain(planning, scored, plan) ? scored : null;
    }
}
