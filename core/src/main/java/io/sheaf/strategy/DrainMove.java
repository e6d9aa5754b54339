package io.sheaf.strategy;

import io.sheaf.manager.Order;

/**
 * Drains running jobs with few tasks if the other jobs of the plan can run the remaining tasks at less cost.
 *
 * @param fastest when the run ends if nothing is changed
 */
record DrainMove(Planning planning, long fastest) implements Move {
    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        ScoredPlan best = plan;
        for (int i = 0; i < plan.plan().size(); i++) {
            Plan.Job job = best.plan().job(i);
            if (job.state() == Plan.State.BUSY && !job.draining()) {
                ScoredPlan drained = planning.score(best.plan().draining(i));
                if (isBetter(drained, best)) {
                    best = drained.reached(best, new Order.Drain(job.token()));
                }
            }
        }
        return best;
    }

    /** Allocated nodes are not given up for a job that would have to be submitted. */
    private boolean isBetter(ScoredPlan drained, ScoredPlan plan) {
        boolean gains = drained.cost() < plan.cost() - planning.difference(plan.end())
                && planning.cost().isInTime(drained.end(), fastest);
        return drained.result().isComplete() && (gains || planning.cost().isSaving(drained.result(), plan.result()));
    }
}
