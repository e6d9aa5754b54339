package io.sheaf.strategy;

import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;

/**
 * Cancels queued and idle jobs without which the run costs less.
 *
 * <p>The last job that is queued or busy keeps its place: another one would be at the end of the queue. Where walltimes are limited, many jobs follow each other and small differences between
 * estimates would cancel and submit them again and again: there a queued job is cancelled only for a twentieth of the remaining time.
 *
 * @param fastest when the run ends if nothing is changed
 */
record CancelMove(Planning planning, long fastest) implements Move {
    /** The least gain of cancelling a queued job where walltimes are limited, as a part of the remaining time. */
    private static final double LIMITED = 0.05;

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        View view = planning.view();
        // While more tasks are expected, the manager decides how long idle nodes are kept.
        boolean keepsIdle = view.isAwaited() && view.nextReady(0) < 0;
        // Without estimates nothing shows which of the queued jobs starts first.
        boolean keepsQueued = !planning.isEstimated() && !planning.isServed(plan.plan());
        long others =
                plan.plan().jobs().filter(job -> job.state() != Plan.State.IDLE).count();
        ScoredPlan best = plan;
        for (int i = 0; i < plan.plan().size(); i++) {
            Plan.Job job = best.plan().job(i);
            boolean idle = job.state() == Plan.State.IDLE;
            if (idle ? !keepsIdle && !isAboutToWork(job) : job.isQueued() && others > 1 && !keepsQueued) {
                ScoredPlan without = planning.score(best.plan().cancelling(i));
                if (isBetter(without, best, job)) {
                    best = without.reached(best, new Order.Cancel(job.token()));
                    others -= idle ? 0 : 1;
                }
            }
        }
        return best;
    }

    /** Whether tasks wait for the agents of a job that has just started. */
    private boolean isAboutToWork(Plan.Job job) {
        View view = planning.view();
        PilotJob p = view.find(job.token());
        return p != null && p.isConnecting(view.now()) && view.nextReady(0) >= 0;
    }

    /**
     * Whether the plan without a job is better. Where walltimes are limited, jobs of the plan are preferred to those that would have to be submitted in their place: a queued successor that is needed
     * stays, and a needed idle job is cancelled only for a gain.
     */
    private boolean isBetter(ScoredPlan without, ScoredPlan plan, Plan.Job job) {
        boolean needed = planning.isLimited() && !without.result().isComplete();
        if (needed && job.isQueued() && job.isSuccessor()) {
            return false;
        }
        boolean free =
                job.state() == Plan.State.IDLE && !(needed && plan.result().isComplete());
        boolean cheaper = free ? without.cost() <= plan.cost() : without.cost() < plan.cost() - leastGain(plan.end());
        return (cheaper && planning.cost().isInTime(without.end(), fastest))
                || planning.cost().isSaving(without.result(), plan.result());
    }

    private double leastGain(long end) {
        return planning.isLimited() ? Math.max(MINUTE, LIMITED * (end - planning.now())) : planning.difference(end);
    }
}
