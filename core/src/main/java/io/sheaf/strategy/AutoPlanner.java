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
 * <p>First running jobs are drained, then queued and idle ones cancelled and queued ones shortened. One move submits: a scout, else the best additional job, else several equal
 * jobs, else one in place of a wider one, else one that fills a gap with short tasks, else the largest that starts at once, else a hedge, else the next job of a chain.
 */
final class AutoPlanner {
    /** The fallback of a plan starts later than a job that is submitted now by this time, or by a part of its time if that is more. */
    private static final long FALLBACK_DELAY = 60 * Move.MINUTE;

    private static final int FALLBACK_PART = 10;

    /** An idle job that started within this time has run no task. */
    private static final long UNUSED = 15 * Move.MINUTE;

    /**
     * The kinds of moves that are allowed.
     *
     * @param submissions the maximum number of jobs to submit
     * @param drain whether running jobs may be drained
     * @param replaceSince queued jobs that were submitted until this instant may be replaced by narrower ones
     */
    record Allowed(int submissions, boolean drain, long replaceSince) {}

    /**
     * The planned orders.
     *
     * @param submissions the number of jobs that they submit
     * @param replaces whether they submit a job in place of a wider one
     * @param cancelsQueued whether they cancel a queued job or, where walltimes are limited, one that has run no task since its start
     */
    record Planned(List<Order> orders, int submissions, boolean replaces, boolean cancelsQueued) {}

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
        // Without estimates another job may start late, so that running jobs are kept; so they are where the rest does.
        boolean late = BackfillMove.isLate(planning, present, shapes.fastest());
        if (allowed.drain && planning.isEstimated() && !late) {
            plan = new DrainMove(planning, present.end()).apply(plan);
        }
        plan = new CancelMove(planning, present.end()).apply(plan);
        plan = new CancelReplacedMove(planning).apply(plan);
        plan = new ShortenMove(planning).apply(plan);
        View view = planning.view();
        ScoredPlan kept = plan;
        boolean replaces = false;
        int most = Math.min(allowed.submissions, view.cap() - view.pilotJobs());
        int room = options.queued() - kept.plan().queuedTokens().length;
        if (most > 0 && room > 0) {
            long longest = shapes.longestReady();
            Move[] submitting = {
                new ScoutMove(planning),
                new AddJobMove(planning, shapes, false),
                new SplitMove(planning, longest, most, room),
                new ReplaceMove(planning, allowed.replaceSince),
                new AddJobMove(planning, shapes, true),
                new BackfillMove(planning, shapes.readyRuns(), shapes.fastest()),
                new HedgeMove(planning, longest),
                new SuccessorMove(planning)
            };
            boolean last = isLastPlace(kept.plan());
            for (int i = 0; i < submitting.length && !plan.plan().submits(); i++) {
                ScoredPlan next = submitting[i].apply(kept);
                replaces = submitting[i] instanceof ReplaceMove && next.plan().submits();
                plan = last && !replaces && next.plan().submitsForLater(planning.now()) ? kept : next;
            }
        }
        int submissions = plan.plan().submissions();
        boolean unused = planning.isLimited() && kept.plan().cancelsUnused(view.now() - UNUSED);
        return new Planned(plan.orders(), submissions, replaces, kept.plan().cancelsQueued() || unused);
    }

    /** Whether only one more job is allowed while none runs: that place is kept for a job that starts at once. */
    private boolean isLastPlace(Plan plan) {
        View view = planning.view();
        return view.pilotJobs() > 0
                && view.cap() - view.pilotJobs() == 1
                && planning.isEstimated()
                && !plan.cancelsQueued()
                && !plan.hasRunning();
    }

    /** The jobs of the run as they are, queued ones from their estimated starts on. */
    private Plan present() {
        int best = shapes.best(planning.cost().nodePrice(), planning.cost().patience());
        long wait = shapes.queueWait(best);
        long delay = wait + Math.max(FALLBACK_DELAY, (wait + shapes.total(best)) / FALLBACK_PART);
        View view = planning.view();
        Plan plan = Plan.empty(new Plan.Fallback(
                shapes.nodes(best), delay, view.walltime(shapes.nodes(best)), wait >= Rollout.NEVER ? 0 : wait));
        long[] queued = view.jobs().stream()
                .filter(PilotJob::isQueued)
                .mapToLong(PilotJob::token)
                .toArray();
        StartTimes starts = new StartTimes();
        if (queued.length > 0) {
            planning.estimator().estimate(StartQuery.ofQueued(view.now(), queued, queued.length), starts);
        }
        int next = 0;
        for (PilotJob p : view.jobs()) {
            if (p.isQueued()) {
                plan = plan.with(Plan.Job.of(p, planning.start(starts.queued(next++))));
            } else if (p.isRunning()) {
                plan = plan.with(Plan.Job.of(p, p.startedAt()));
            }
        }
        return plan;
    }
}
