package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartTimes;
import java.util.List;

/**
 * What all moves of one decision share: the state of the run, the estimates, and how plans are simulated and scored.
 *
 * @param minNodes the nodes of the widest unfinished task
 */
record Planning(
        View view,
        Profile profile,
        int minNodes,
        StartEstimator estimator,
        DecisionSink considered,
        Rollout rollout,
        PlanCost cost) {
    /** A gain below this part of the remaining time does not justify a submission. */
    private static final double LEAST_GAIN = 0.005;

    ScoredPlan score(Plan plan) {
        Rollout.Result result = rollout.simulate(plan);
        return new ScoredPlan(plan, result, cost.of(result), List.of());
    }

    long now() {
        return view.now();
    }

    /** An estimated start as plans use it: a queued job without an estimate may start at any moment. */
    long start(long estimated) {
        return estimated == StartTimes.NEVER ? now() : Math.max(now(), estimated);
    }

    /** The gain that justifies a submission if the present plan ends at an instant, in milliseconds. */
    double leastGain(long end) {
        return Math.max(Move.MINUTE, LEAST_GAIN * (end - now()));
    }

    /** Whether starts of jobs are estimated. */
    boolean isEstimated() {
        return estimator.basis() != Basis.NONE;
    }

    /** Whether the need for nodes is certain: no more tasks are expected, no run time was seen to be too short, and starts are estimated. */
    boolean isCertain() {
        return !view.isAwaited() && view.expiries() == 0 && isEstimated();
    }

    /** The walltime to request for a run time: the maximum for a {@linkplain Shapes shape} that is cut to the limit. */
    long walltime(long run) {
        return run >= profile.longestRun(view.walltime()) ? view.walltime() : profile.request(run);
    }

    /** Submits a job for any tasks that fit into it. */
    Order.Submit submit(int nodes, long walltime) {
        return new Order.Submit(Request.of(nodes, walltime), Claim.all(view).onlyWhatFits());
    }
}
