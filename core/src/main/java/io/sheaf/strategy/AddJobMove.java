package io.sheaf.strategy;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import org.jspecify.annotations.Nullable;

/**
 * Submits one more job: of all {@link Shapes} the one with the greatest gain over the present plan.
 *
 * @param shapes for all unfinished tasks; shorter ones are added
 */
record AddJobMove(Planning planning, Shapes shapes) implements Move {
    /** A job that is used for less than this part of its time requests only that part. */
    private static final double TRIMMED = 0.5;

    /**
     * A shape and the plan with it.
     *
     * @param cost infinite if it would allocate too much
     * @param used how long the job runs tasks, in milliseconds
     * @param takesOver whether it is best with the widest running job drained
     */
    private record Candidate(int shape, double cost, long end, long nodeMillis, long used, boolean takesOver) {}

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        Shapes all = shapes.withShorter();
        Candidate chosen = best(candidates(plan, all), plan);
        if (chosen == null) {
            return plan;
        }
        long run = run(chosen, all);
        int nodes =
                run == all.run(chosen.shape) ? all.fewest(chosen.shape, planning.rollout()) : all.nodes(chosen.shape);
        // Tasks that are expected to come may run as long as any that is ready.
        run = planning.view().isAwaited() ? Math.max(run, all.longestReady()) : run;
        long walltime = planning.profile().request(run);
        Plan.Job job = Plan.Job.toSubmit(nodes, walltime, planning.now() + all.queueWait(chosen.shape));
        ScoredPlan with = together(plan, job);
        if (with == null) {
            return plan;
        }
        planning.considered().chosen("the greatest gain");
        return with.reached(plan, planning.submit(nodes, walltime));
    }

    private @Nullable Candidate[] candidates(ScoredPlan plan, Shapes all) {
        long end = plan.result().isComplete() ? plan.end() : Long.MAX_VALUE;
        long tooLate = planning.considered().isWanted() ? Long.MAX_VALUE : end;
        @Nullable Candidate[] candidates = new @Nullable Candidate[all.size()];
        for (int i = 0; i < all.size(); i++) {
            candidates[i] = candidate(plan, all, i, tooLate);
        }
        return candidates;
    }

    /** The plan with one more job; null if that starts too late to be of use, or another shape does more. */
    private @Nullable Candidate candidate(ScoredPlan plan, Shapes all, int i, long tooLate) {
        long start = planning.now() + all.queueWait(i);
        if (start >= tooLate || all.isDominated(i)) {
            return null;
        }
        long walltime = planning.profile().request(all.run(i));
        ScoredPlan with = planning.score(plan.plan().with(Plan.Job.toSubmit(all.nodes(i), walltime, start)));
        long nodeMillis = with.result().nodeMillis();
        long used = with.result().lastEnd(plan.plan().size()) - start;
        if (planning.cost().isTooMuch(nodeMillis)) {
            return new Candidate(i, Double.POSITIVE_INFINITY, Long.MAX_VALUE, nodeMillis, used, false);
        }
        if (planning.considered().isWanted()) {
            planning.considered()
                    .option(
                            all.nodes(i) + " nodes more",
                            all.nodes(i),
                            walltime,
                            all.queueWait(i),
                            with.end() - planning.now());
        }
        ScoredPlan drained = drained(with, all, i);
        return drained == null
                ? new Candidate(i, with.cost(), with.end(), nodeMillis, used, false)
                : new Candidate(i, drained.cost(), drained.end(), nodeMillis, used, true);
    }

    /** The plan in which a job that starts at once takes over from the widest running one, if it is narrower and that is better; null otherwise. */
    private @Nullable ScoredPlan drained(ScoredPlan with, Shapes all, int i) {
        int widest = widest(with.plan());
        if (all.queueWait(i) > 0
                || widest < 0
                || with.plan().job(widest).nodes() <= all.nodes(i)
                || planning.cost().nodePrice() <= 0) {
            return null;
        }
        ScoredPlan drained = planning.score(with.plan().draining(widest));
        boolean better = drained.result().isComplete()
                && drained.cost() < with.cost()
                && planning.cost().isInTime(drained.end(), with.end());
        return better ? drained : null;
    }

    /** The widest running job that takes tasks; −1 if there is none. */
    private static int widest(Plan plan) {
        int widest = -1;
        for (int i = 0; i < plan.size(); i++) {
            Plan.Job job = plan.job(i);
            boolean may = job.isRunning() && !job.draining();
            widest = may && (widest < 0 || job.nodes() > plan.job(widest).nodes()) ? i : widest;
        }
        return widest;
    }

    /** The cheapest candidate that gains enough and ends in time; if the run has no job at all, for want of one that which allocates least. */
    private @Nullable Candidate best(@Nullable Candidate[] candidates, ScoredPlan plan) {
        long first = plan.result().isComplete() ? plan.end() : Long.MAX_VALUE;
        Candidate frugal = null;
        for (Candidate each : candidates) {
            first = each == null ? first : Math.min(first, each.end);
            frugal = each != null && (frugal == null || each.nodeMillis < frugal.nodeMillis) ? each : frugal;
        }
        double least = plan.cost() - planning.leastGain(plan.end());
        Candidate best = null;
        for (Candidate each : candidates) {
            if (each != null && each.cost < least && planning.cost().isInTime(each.end, first)) {
                least = each.cost;
                best = each;
            }
        }
        return best == null && planning.view().pilotJobs() == 0 ? frugal : best;
    }

    /** The run time to request: what is used if that is much less, and no more tasks are expected. */
    private long run(Candidate chosen, Shapes all) {
        long whole = all.run(chosen.shape);
        long used = Math.max(all.longestReady(), chosen.used);
        boolean trims = !chosen.takesOver && !planning.view().isAwaited() && used > 0 && used < whole * TRIMMED;
        return trims ? used : whole;
    }

    /** The plan with one more job, in which the queued ones are estimated anew with it among them; null if there is no gain then. */
    private @Nullable ScoredPlan together(ScoredPlan plan, Plan.Job job) {
        // After a cancellation the starts of the others are not known.
        long[] queued = plan.plan().cancelsQueued() ? new long[0] : plan.plan().queuedTokens();
        if (queued.length == 0 || planning.estimator().basis() == Basis.PROMISE) {
            return planning.score(plan.plan().with(job));
        }
        StartTimes starts = planning.estimator()
                .estimate(StartQuery.ofQueued(planning.now(), queued, queued.length)
                        .add(0, job.nodes(), job.walltime()));
        Plan anew = plan.plan();
        int q = 0;
        for (int i = 0; i < anew.size(); i++) {
            if (anew.job(i).isQueued()) {
                anew = anew.with(i, anew.job(i).startingAt(planning.start(starts.queued(q++))));
            }
        }
        ScoredPlan with = planning.score(anew.with(job.startingAt(planning.start(starts.job(0)))));
        return with.cost() < plan.cost() - MINUTE ? with : null;
    }
}
