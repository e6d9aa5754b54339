package io.sheaf.strategy;

import io.sheaf.manager.Request;
import io.sheaf.predict.StartQuery;
import io.sheaf.workflow.BinarySearch;
import org.jspecify.annotations.Nullable;

/**
 * Submits a narrower job in place of a queued one that has more nodes than the unfinished tasks need.
 *
 * <p>The nodes of a queued job cannot be reduced. So the narrower job is submitted first, and {@link CancelReplacedMove} cancels the wide one once the batch system has accepted the
 * narrower: the tasks always have a place in the queue. A new place is at the end of the queue. Therefore the run must end no later without the wide job, and the narrower one must start no later
 * than that.
 *
 * @param since only jobs that were submitted until this instant are replaced
 */
record ReplaceMove(Planning planning, long since) implements Move {
    /** The narrower job has at most three quarters of the nodes. */
    private static final int NODES = 3;

    private static final int OF_NODES = 4;

    /** A job that starts within this time would start before it could be cancelled. */
    private static final long ABOUT_TO_START = 5 * MINUTE;

    @Override
    public ScoredPlan apply(ScoredPlan plan) {
        if (plan.plan().cancelsQueued()
                || !plan.result().isComplete()
                || plan.plan().isAnyUnanswered()) {
            return plan;
        }
        for (int i = 0; i < plan.plan().size(); i++) {
            Plan.Job wide = plan.plan().job(i);
            boolean waits =
                    wide.isQueued() && wide.submittedAt() <= since && wide.start() > planning.now() + ABOUT_TO_START;
            boolean isWide = most(wide) >= planning.minNodes();
            if (waits && isWide && !isReplaced(plan, i) && planning.isCertain()) {
                Plan.Job narrower = narrower(plan, i);
                if (narrower != null) {
                    return planning.score(plan.plan().with(narrower))
                            .reached(plan, planning.submit(narrower.request()));
                }
            }
        }
        return plan;
    }

    private static int most(Plan.Job wide) {
        return wide.nodes() * NODES / OF_NODES;
    }

    /** Whether narrower jobs are queued, with which the run ends as early without this one. */
    private boolean isReplaced(ScoredPlan plan, int i) {
        for (int k = 0; k < plan.plan().size(); k++) {
            if (mayReplace(plan.plan().job(k), plan.plan().job(i))) {
                return planning.score(plan.plan().cancelling(i)).end() <= plan.end();
            }
        }
        return false;
    }

    /** Whether a job was submitted after a wide one, is much narrower, and queued. */
    static boolean mayReplace(Plan.Job job, Plan.Job wide) {
        boolean narrow = job.nodes() * OF_NODES <= wide.nodes() * NODES;
        return narrow && job.state() == Plan.State.QUEUED && !job.cancelled() && job.token() > wide.token();
    }

    /** Whether a plan without the wide job ends no later than the present one and costs less by what justifies a submission. */
    static boolean isGain(Planning planning, ScoredPlan without, ScoredPlan plan) {
        return without.cost() <= plan.cost() - planning.leastGain(plan.end())
                && without.end() <= plan.end()
                && without.result().isComplete();
    }

    static String inPlaceOf(int nodes, int wide) {
        return nodes + (nodes == 1 ? " node" : " nodes") + " instead of " + wide;
    }

    private Plan.@Nullable Job narrower(ScoredPlan plan, int i) {
        Plan.Job wide = plan.plan().job(i);
        Plan without = plan.plan().cancelling(i);
        if (!isGain(plan, without, job(wide, most(wide), wide.walltime(), wide.start()))) {
            return null;
        }
        int nodes = fewest(plan, without, wide);
        long needed = planning.walltime(nodes, planning.rollout().alone(nodes));
        long walltime = Math.min(wide.walltime(), needed);
        StartQuery query = StartQuery.ofQueued(planning.now(), new long[0], 0)
                .add(wide.pool(), nodes, walltime)
                .cancelling(wide.token());
        long start =
                Math.max(planning.now(), planning.estimator().estimate(query).job(0));
        if (start > wide.start()) {
            return null;
        }
        Plan.Job job = job(wide, nodes, walltime, start);
        ScoredPlan with = planning.score(without.with(job));
        if (!isGain(planning, with, plan)) {
            return null;
        }
        String what = inPlaceOf(nodes, wide.nodes());
        planning.considered().option(what, nodes, walltime, start - planning.now(), with.end() - planning.now());
        planning.considered()
                .chosen("request " + what + ": the remaining tasks need no more, and the job starts no later");
        return job;
    }

    /** The fewest nodes with which the run ends as early as with the most. */
    private int fewest(ScoredPlan plan, Plan without, Plan.Job wide) {
        int tooFew = planning.minNodes() - 1;
        return 1
                + BinarySearch.last(
                        tooFew,
                        most(wide),
                        nodes -> !isGain(plan, without, job(wide, nodes, wide.walltime(), wide.start())));
    }

    private static Plan.Job job(Plan.Job wide, int nodes, long walltime, long start) {
        return Plan.Job.toSubmit(Request.of(nodes, walltime).in(wide.pool()), start);
    }

    private boolean isGain(ScoredPlan plan, Plan without, Plan.Job narrower) {
        return isGain(planning, planning.score(without.with(narrower)), plan);
    }
}
