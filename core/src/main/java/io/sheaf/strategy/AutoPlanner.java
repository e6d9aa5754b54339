package io.sheaf.strategy;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import java.util.List;

/**
 * Plans the pilot jobs of {@link Auto} at one instant: scores the present plan and applies each {@link Move} in turn.
 *
 * <p>First running jobs are drained, then queued and idle ones cancelled and queued ones shortened. At most one job is submitted: a scout, else the best additional job, else one
 * in place of a wider one.
 */
final class AutoPlanner {
    /** The fallback of a plan starts later than a job that is submitted now by this time, or by a part of its time if that is more. */
    private static final long FALLBACK_DELAY = 60 * Move.MINUTE;

    private static final int FALLBACK_PART = 10;

    /**
     * The kinds of moves that are allowed.
     *
     * @param submit whether a job may be submitted
     * @param drain whether running jobs may be drained
     * @param replaceSince queued jobs that were submitted until this instant may be replaced by narrower ones
     */
    record Allowed(boolean submit, boolean drain, long replaceSince) {}

    /**
     * The planned orders.
     *
     * @param submits whether they submit a job
     * @param replaces whether they submit a job in place of a wider one
     * @param cancelsQueued whether they cancel a queued job
     */
    record Planned(List<Order> orders, boolean submits, boolean replaces, boolean cancelsQueued) {}

    private final Planning planning;
    private final Auto.Options options;
    private final Shapes shapes;

    /** For an instant up to which the run has been allocated some node-milliseconds. */
    AutoPlanner(
            RunTimes times,
            Profile profile,
            Auto.Options options,
            View view,
            long allocatedSoFar,
            StartEstimator estimator,
            DecisionSink considered) {
        this.options = options;
        LevelRange range =
                times.range(view.firstUnfinishedLevel(), view.workflow().levels() - 1);
        Rollout rollout = new Rollout(times.tasks(), view);
        shapes = Shapes.forAll(view, range, rollout, new Queue(view, estimator, profile), options.hasty());
        PlanCost cost = new PlanCost(times, options, view.now(), allocatedSoFar, shapes.queueWait(shapes.first()) == 0);
        planning = new Planning(view, profile, range.minNodes(), estimator, considered, rollout, cost);
    }

    Planned plan(Allowed allowed) {
        ScoredPlan present = planning.score(present());
        ScoredPlan plan = present;
        // Without estimates another job may start late, so that running jobs are kept.
        if (allowed.drain && planning.isEstimated()) {
            plan = new DrainMove(planning, present.end()).apply(plan);
        }
        plan = new CancelMove(planning, present.end()).apply(plan);
        plan = new CancelReplacedMove(planning).apply(plan);
        plan = new ShortenMove(planning).apply(plan);
        View view = planning.view();
        ScoredPlan kept = plan;
        boolean replaces = false;
        if (allowed.submit && view.pilotJobs() < view.cap() && kept.plan().queuedTokens().length < options.queued()) {
            plan = new ScoutMove(planning).apply(kept);
            if (!plan.plan().submits()) {
                plan = new AddJobMove(planning, shapes).apply(kept);
            }
            if (!plan.plan().submits()) {
                plan = new ReplaceMove(planning, allowed.replaceSince).apply(kept);
                replaces = plan.plan().submits();
            }
        }
        return new Planned(
                plan.orders(), plan.plan().submits(), replaces, kept.plan().cancelsQueued());
    }

    /** The jobs of the run as they are, queued ones from their estimated starts on. */
    private Plan present() {
        int best = shapes.best(planning.cost().nodePrice(), planning.cost().patience());
        long wait = shapes.queueWait(best);
        long delay = wait + Math.max(FALLBACK_DELAY, (wait + shapes.total(best)) / FALLBACK_PART);
        View view = planning.view();
        Plan plan = Plan.empty(
                new Plan.Fallback(shapes.nodes(best), delay, view.walltime(), wait >= Rollout.NEVER ? 0 : wait));
        long[] queued = new long[view.pilotJobs()];
        int inQueue = 0;
        for (int i = 0; i < view.pilotJobs(); i++) {
            if (view.pilotJob(i).isQueued()) {
                queued[inQueue++] = view.pilotJob(i).token();
            }
        }
        StartTimes starts = new StartTimes();
        if (inQueue > 0) {
            planning.estimator().estimate(StartQuery.ofQueued(view.now(), queued, inQueue), starts);
        }
        int next = 0;
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
            if (p.isQueued()) {
                plan = plan.with(Plan.Job.of(p, planning.start(starts.queued(next++))));
            } else if (p.isRunning()) {
                plan = plan.with(Plan.Job.of(p, p.startedAt()));
            }
        }
        return plan;
    }
}
