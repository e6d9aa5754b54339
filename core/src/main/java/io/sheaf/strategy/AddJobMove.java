package io.sheaf.strategy;

import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import org.jspecify.annotations.Nullable;

/**
 * Submits one more job: of all {@link Shapes} the one with the greatest gain over the present plan.
 *
 * @param shapes for all unfinished tasks; shorter ones are added
 * @param gaps whether to try only shapes that {@linkplain Shapes#forGaps fill gaps} for short tasks
 */
record AddJobMove(Planning planning, Shapes shapes, boolean gaps) implements Move {
    /** A job that is used for less than this part of its time requests only that part. */
    private static final double TRIMMED = 0.5;

    /** A job takes over from another only if that saves a cost of more than this: less than a job takes to start. */
    private static final long TAKEOVER_GAIN = 1_000;

    /**
     * A shape and the plan with it.
     *
     * @param cost infinite if it would allocate too much
     * @param kindsLeft the {@linkplain Rollout.Result#kindsLeft kinds of ready tasks} without a job
     * @param takesOver whether it is best with the widest running job drained
     */
    private record Candidate(int shape, double cost, long end, long nodeMillis, int kindsLeft, boolean takesOver) {}

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        if (gaps && (planning.view().isAwaited() || !planning.isEstimated())) {
            return plan;
        }
        Shapes all = gaps ? shapes.forGaps() : shapes.withShorter();
        @Nullable Candidate[] candidates = new @Nullable Candidate[all.size()];
        long end = plan.result().isComplete() ? plan.end() : Long.MAX_VALUE;
        long tooLate = planning.considered().isRecording() ? Long.MAX_VALUE : end;
        int widest = widest(plan.plan());
        Plan base = plan.plan();
        int most = mostNodes(base);
        for (int i = 0; i < all.size(); i++) {
            if (all.nodes(i) > most) {
                continue;
            }
            boolean mayTakeOver = mayTakeOver(base, widest, all, i);
            int kinds = plan.result().kindsLeft();
            candidates[i] = candidate(base, all, i, tooLate, mayTakeOver ? widest : -1, kinds);
            // A job that this decision drains counts as taking tasks again once a shape that may take over was tried.
            boolean tried = candidates[i] != null && mayTakeOver && candidates[i].cost < Double.POSITIVE_INFINITY;
            base = tried && base.job(widest).draining() ? base.taking(widest) : base;
        }
        Candidate chosen = best(candidates, all, plan);
        return chosen == null ? plan : submit(plan, base, all, chosen);
    }

    private ScoredPlan submit(ScoredPlan plan, Plan base, Shapes all, Candidate chosen) {
        long whole = all.run(chosen.shape);
        long used = run(base, chosen, all);
        ScoredPlan with = used < whole ? submitting(plan, base, all, chosen, used) : null;
        with = with == null ? submitting(plan, base, all, chosen, whole) : with;
        if (with == null) {
            return plan;
        }
        planning.considered().chosen("lowest cost");
        return with;
    }

    /** The plan with a shape that requests a run time; null if it costs no less than the present plan. */
    private @Nullable ScoredPlan submitting(ScoredPlan plan, Plan base, Shapes all, Candidate chosen, long run) {
        boolean whole = run == all.run(chosen.shape);
        boolean narrow = whole && !planning.view().isAwaited();
        int nodes = narrow ? all.fewest(chosen.shape) : all.nodes(chosen.shape);
        long walltime = planning.walltime(nodes, requested(run, all));
        Request request = Request.of(nodes, walltime).in(all.pool(chosen.shape));
        Plan.Job job = Plan.Job.toSubmit(request, planning.now() + all.queueWait(chosen.shape));
        ScoredPlan with = together(base, job, plan, whole);
        return with == null ? null : with.reached(plan, planning.submit(request));
    }

    /**
     * The maximum nodes of a further job. While a program submits tasks, the running jobs of the run, and those that start now, are kept for its
     * next tasks; a job that needs their nodes, too, would wait for the end of their walltimes.
     */
    private int mostNodes(Plan plan) {
        View view = planning.view();
        int free = view.nodes();
        for (int i = 0; i < plan.size() && view.isAwaited() && view.pools().count() == 0; i++) {
            boolean runs = plan.job(i).isRunning() || plan.job(i).start() <= planning.now();
            free -= runs ? plan.job(i).nodes() : 0;
        }
        return free < planning.minNodes() ? Integer.MAX_VALUE : free;
    }

    /** The run time to request: tasks that are expected to come may run as long as any that is ready. */
    private long requested(long run, Shapes all) {
        return planning.view().isAwaited() ? Math.max(run, all.longestReady()) : run;
    }

    /** Whether a shape could take over from the widest running job: it starts at once and is narrower, and node time has a price. */
    private boolean mayTakeOver(Plan base, int widest, Shapes all, int i) {
        return planning.isEstimated()
                && all.queueWait(i) == 0
                && widest >= 0
                && base.job(widest).nodes() > all.nodes(i)
                && planning.cost().nodePrice() > 0;
    }

    /**
     * The plan with one more job; null if that starts too late to be of use, or another shape does more.
     *
     * @param widest the running job that it may take over from, which is then drained if that is better; −1 if it may not
     * @param kinds the kinds of ready tasks without a job; a job for one of them is submitted whatever it allocates
     */
    private @Nullable Candidate candidate(Plan base, Shapes all, int i, long tooLate, int widest, int kinds) {
        Plan.Job job = job(all, i);
        if (job.start() >= tooLate || all.isDominated(i) || wouldIdle(all, i)) {
            return null;
        }
        ScoredPlan with = planning.score(base.with(job));
        long nodeMillis = with.result().nodeMillis();
        int kindsLeft = with.result().kindsLeft();
        if (kindsLeft >= kinds && planning.cost().isTooMuch(nodeMillis)) {
            return new Candidate(i, Double.POSITIVE_INFINITY, Long.MAX_VALUE, nodeMillis, kindsLeft, false);
        }
        if (planning.considered().isRecording()) {
            long makespan = with.end() - planning.now();
            planning.considered()
                    .option(
                            "add " + job.nodes() + (job.nodes() == 1 ? " node" : " nodes") + planning.in(job.pool()),
                            job.nodes(),
                            job.walltime(),
                            all.queueWait(i),
                            makespan);
        }
        if (widest >= 0) {
            ScoredPlan drained = planning.score(with.plan().draining(widest));
            boolean better = drained.result().isComplete()
                    && drained.cost() < with.cost() - TAKEOVER_GAIN
                    && planning.cost().isInTime(drained.end(), with.end());
            if (better) {
                return new Candidate(i, drained.cost(), drained.end(), nodeMillis, kindsLeft, true);
            }
        }
        return new Candidate(i, with.cost(), with.end(), nodeMillis, kindsLeft, false);
    }

    /**
     * Whether a shape would start at once and find no ready task. It would be cancelled for that, and planned again. With a limit of walltimes it seems to gain, because it ends later than
     * the jobs that run.
     */
    private boolean wouldIdle(Shapes all, int i) {
        return all.queueWait(i) == 0 && isEarlyIdle();
    }

    /** Whether, with a limit of walltimes, a job that starts now finds no ready task. */
    private boolean isEarlyIdle() {
        View view = planning.view();
        return planning.isLimited() && view.nextReady(0) < 0 && !view.isAwaited();
    }

    private Plan.Job job(Shapes all, int i) {
        long start = planning.now() + all.queueWait(i);
        long walltime = planning.walltime(all.nodes(i), requested(all.run(i), all));
        return Plan.Job.toSubmit(Request.of(all.nodes(i), walltime).in(all.pool(i)), start);
    }

    /** The widest running job that took tasks before this decision; −1 if there is none. */
    private int widest(Plan plan) {
        int widest = -1;
        for (int i = 0; i < plan.size(); i++) {
            Plan.Job job = plan.job(i);
            boolean may = job.isRunning() && !isDraining(job.token());
            widest = may && (widest < 0 || job.nodes() > plan.job(widest).nodes()) ? i : widest;
        }
        return widest;
    }

    private boolean isDraining(long token) {
        PilotJob p = planning.view().find(token);
        return p != null && p.isDraining();
    }

    /** The cheapest candidate that gains enough and ends in time; if no candidate qualifies and the run has no job, the one with the least node time. */
    private @Nullable Candidate best(@Nullable Candidate[] candidates, Shapes all, ScoredPlan plan) {
        long first = plan.result().isComplete() ? plan.end() : Long.MAX_VALUE;
        int left = plan.result().kindsLeft();
        for (Candidate each : candidates) {
            left = each == null ? left : Math.min(left, each.kindsLeft);
        }
        Candidate frugal = null;
        for (Candidate each : candidates) {
            if (each != null && each.kindsLeft > left) {
                continue;
            }
            first = each == null ? first : Math.min(first, each.end);
            frugal = each != null && (frugal == null || each.nodeMillis < frugal.nodeMillis) ? each : frugal;
        }
        double least = plan.cost() - planning.leastGain(plan.end());
        Candidate best = null;
        for (Candidate each : candidates) {
            if (each != null
                    && each.kindsLeft == left
                    && each.cost < least
                    && planning.cost().isInTime(each.end, first)) {
                least = each.cost;
                best = each;
            }
        }
        best = best == null && planning.view().pilotJobs() == 0 ? frugal : best;
        return best != null && planning.view().isAwaited() ? widest(best, candidates, all) : best;
    }

    /**
     * The widest candidate that starts at once and ends no later than another. While a program submits tasks, their times are limits, so a node that seems to be idle in the last round is not, and
     * each task that ends brings others.
     */
    private static Candidate widest(Candidate best, @Nullable Candidate[] candidates, Shapes all) {
        Candidate widest = best;
        for (Candidate each : candidates) {
            if (each != null
                    && each.cost < Double.POSITIVE_INFINITY
                    && each.kindsLeft == best.kindsLeft
                    && each.end <= best.end
                    && all.queueWait(each.shape) == 0
                    && all.nodes(each.shape) > all.nodes(widest.shape)) {
                widest = each;
            }
        }
        return widest;
    }

    /** The run time to request: that in which the job runs tasks if it is much less, and no more tasks are expected. */
    private long run(Plan base, Candidate chosen, Shapes all) {
        long whole = all.run(chosen.shape);
        // A shorter job might start at once, when no task is ready.
        if (chosen.takesOver || planning.view().isMoreExpected() || isEarlyIdle()) {
            return whole;
        }
        Plan.Job job = job(all, chosen.shape);
        long lastEnd = planning.rollout().simulate(base.with(job)).lastEnd(base.size());
        long used = Math.max(all.longestReady(), lastEnd - job.start());
        return used > 0 && used < whole * TRIMMED ? used : whole;
    }

    /**
     * The plan with one more job, in which its start and those of the queued ones are estimated with it among them; null if it costs no less than the present plan then.
     *
     * @param whole whether the job has the walltime of its shape. A shorter one may start too early for its tasks.
     */
    private @Nullable ScoredPlan together(Plan base, Plan.Job job, ScoredPlan present, boolean whole) {
        // After a cancellation the starts of the others are not known.
        long[] queued = base.cancelsQueued() ? new long[0] : base.queuedTokens();
        if (whole && (queued.length == 0 || planning.estimator().basis() == Basis.PROMISE)) {
            return planning.score(base.with(job));
        }
        ScoredPlan with = planning.score(planning.together(base, queued, job.request(), 1));
        return with.cost() < present.cost() - planning.difference(present.end()) ? with : null;
    }
}
