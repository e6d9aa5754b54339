package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.Claim;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.PoolStarts;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
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
    private static final double MIN_GAIN = 0.005;

    /** In a run of a few minutes, a gain below this part of the remaining time does not count. */
    private static final double SHORT_GAIN = 0.05;

    /** The longest wait of a job that starts soon. */
    private static final long SOON = 10 * Move.MINUTE;

    /** The plan with its simulated result and cost; successors start when their predecessors have nothing more to run. */
    ScoredPlan score(Plan unscored) {
        Plan plan = unscored;
        Rollout.Result result = rollout.simulate(plan);
        for (int i = 0; i < plan.size(); i++) {
            Plan before = plan;
            plan = before.withSuccessor(i, result, now());
            result = plan == before ? result : rollout.simulate(plan);
        }
        return new ScoredPlan(plan, result, cost.of(result), List.of());
    }

    /** The plan with some more equal jobs; the starts of all queued jobs are estimated with these among them. */
    Plan together(Plan plan, Request request, int jobs) {
        return together(plan, plan.queuedTokens(), request, jobs);
    }

    /** The same where only the starts of some queued jobs are estimated, the first ones of the plan. */
    Plan together(Plan plan, long[] queued, Request request, int jobs) {
        StartQuery query = StartQuery.ofQueued(now(), queued, queued.length);
        for (int i = 0; i < jobs; i++) {
            query.add(request.pool(), request.units(), request.walltime());
        }
        StartTimes starts = estimator.estimate(query);
        Plan updated = plan;
        int q = 0;
        for (int i = 0; i < plan.size() && q < queued.length; i++) {
            if (updated.job(i).isQueued()) {
                updated = updated.with(i, updated.job(i).startingAt(start(starts.queued(q++))));
            }
        }
        for (int i = 0; i < jobs; i++) {
            updated = updated.with(Plan.Job.toSubmit(request, start(starts.job(i))));
        }
        return updated;
    }

    /** A plan with some more equal jobs, reached from another by submitting them. */
    ScoredPlan submitting(ScoredPlan before, Plan with, Request request, int jobs) {
        ScoredPlan scored = score(with).reached(before, submit(request));
        for (int i = 1; i < jobs; i++) {
            scored = scored.reached(scored, submit(request));
        }
        return scored;
    }

    /** Names a pool in the text of an option. */
    String in(int pool) {
        return pool == Pools.ANY ? "" : " in " + view.pools().name(pool);
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
        return Math.max(difference(end), MIN_GAIN * (end - now()));
    }

    /** The difference of costs from which on one plan counts as better than the present one, which ends at an instant: a minute, or less for short runs. */
    double difference(long end) {
        return Math.min(Move.MINUTE, SHORT_GAIN * (end - now()));
    }

    /** Whether a queued job starts soon: within minutes, and after a wait that is shorter than the remaining run. */
    boolean startsSoon(ScoredPlan plan) {
        long first = plan.plan().firstQueuedStart();
        return first - now() < Math.min(SOON, plan.end() - first);
    }

    /** Whether tasks are ready and jobs for them are queued, no program submits further tasks, and the batch system has answered all submissions. */
    boolean mayFillGaps(Plan plan) {
        return view.nextReady(0) >= 0
                && !view.isAwaited()
                && !view.isAmple()
                && !plan.cancelsQueued()
                && !plan.isAnyUnanswered()
                && plan.queuedTokens().length > 0;
    }

    /** Whether walltimes are limited. */
    boolean isLimited() {
        return view.walltime() < Long.MAX_VALUE;
    }

    /** Whether starts of jobs are estimated. */
    boolean isEstimated() {
        return estimator.basis() != Basis.NONE;
    }

    /** Whether a running job has time for all unfinished tasks. */
    boolean isServed(Plan plan) {
        return plan.jobs()
                .anyMatch(job -> job.isRunning()
                        && !job.draining()
                        && job.nodes() >= minNodes
                        && now() + rollout.alone(job.nodes()) <= job.limit());
    }

    /** Whether the need for nodes is certain: no more tasks are expected, no run time was seen to be too short, and starts are estimated. */
    boolean isCertain() {
        return !view.isMoreExpected() && view.expiries() == 0 && isEstimated();
    }

    /** The walltime to request for a run time on some nodes: the maximum for a {@linkplain Shapes shape} that is cut to the limit. */
    long walltime(int nodes, long run) {
        long max = view.walltime(nodes);
        return run >= profile.longestRun(max) ? max : profile.request(run);
    }

    /** A request in the pool where it starts first. */
    Request request(int nodes, long walltime) {
        Request request = Request.of(nodes, walltime);
        return view.pools().count() == 0
                ? request
                : request.in(new PoolStarts(view.pools(), estimator)
                        .of(now(), nodes, walltime)
                        .pool(0));
    }

    /** Submits a job for any tasks that fit into it. */
    Order.Submit submit(Request request) {
        return new Order.Submit(request, Claim.all(view).onlyWhatFits().choosingCores());
    }
}
