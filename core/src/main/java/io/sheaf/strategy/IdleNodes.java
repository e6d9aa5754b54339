package io.sheaf.strategy;

import io.sheaf.manager.Claim;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.View;
import io.sheaf.predict.Basis;
import io.sheaf.predict.PoolStarts;
import io.sheaf.predict.StartEstimator;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds a job for ready tasks of unknown run times, or of less than a minute, on nodes that are free now.
 *
 * <p>Such a job is useful whatever the times turn out to be: it waits for nothing, it runs any tasks, and each of them measures a time. Gains of less than a minute are too
 * small for {@link Auto} to plan with, so short tasks would wait beside free nodes. Of the walltimes that free nodes
 * allow, it takes the one in which most tasks are expected to end: a long one on few nodes or a short one on many. The longest is the task's limit, or a high quantile
 * of what is believed about it. Tasks of unknown times that follow ready ones count as well: they are measured in the same job, where a shorter one would be replaced.
 */
record IdleNodes(View view, TimeGuesses guesses, Profile profile, StartEstimator estimator) {
    /** The quantiles of run times that walltimes are made of. */
    private static final double[] QUANTILES = {0.98, 0.9, 0.75, 0.5, 0.3};

    /** One of our queued jobs that was submitted within this time may be about to start. */
    private static final long STARTING = 60_000;

    private static final long MINUTE = 60_000;

    private static final int[] NO_TASKS = {};

    /** The longest walltime by a quantile, unless a task was cut off after more than half of it. */
    private static final long DAY = 1_440 * MINUTE;

    /** The greatest number of tasks that are to run on a node one after another. */
    private static final int MAX_ROUNDS = 3;

    /**
     * A candidate.
     *
     * @param ends the expected number of tasks that end, times the probability that one does: tasks that are cut off are repeated
     */
    private record Job(int nodes, long walltime, double ends) {}

    /** The job; null if no task needs it, no node is free, or one of our jobs is about to start. */
    Order.@Nullable Submit job(DecisionSink sink) {
        // Half of the jobs are left to those that wait for more nodes.
        if (2 * view.pilotJobs() >= Math.max(2, view.cap()) || isOneStarting()) {
            return null;
        }
        // Mostly no node is free; then the ready tasks, which may be thousands, need not be read. The basis is that of
        // the last answer.
        if (freeNow(1, 1) == 0 || estimator.basis() == Basis.NONE) {
            return null;
        }
        long useful = useful();
        int usable = (int) Math.min(view.nodes(), useful);
        long rounds = Math.min(MAX_ROUNDS, (useful + view.nodes() - 1) / view.nodes());
        int narrowest = narrowest();
        int[] eligible = usable > 0 ? eligible() : NO_TASKS;
        long later = view.expected().stream()
                .mapToLong(each -> each.millis(view.nodes(), view.coresPerNode()))
                .sum();
        Job best = null;
        for (int i = -1; usable > 0 && i < QUANTILES.length; i++) {
            long walltime = Math.min(
                    view.walltime(),
                    i < 0
                            ? rounds * walltime(eligible, QUANTILES[0], true) + later
                            : walltime(eligible, QUANTILES[i], i == 0));
            int nodes = freeNow(usable, walltime);
            double within = meanWithin(eligible, walltime);
            double ends = nodes * within * within;
            if (nodes >= narrowest && (best == null || ends > best.ends)) {
                best = new Job(nodes, walltime, ends);
            }
        }
        if (best == null) {
            return null;
        }
        if (sink.isRecording()) {
            sink.option("idle nodes", best.nodes, best.walltime, 0, -1);
            sink.chosen("these nodes are free, and ready tasks are short or of unknown run time");
        }
        return new Order.Submit(
                Request.of(best.nodes, best.walltime),
                Claim.all(view).onlyWhatFits().choosingCores());
    }

    private boolean isOneStarting() {
        return view.hasJob(p -> (p.isRunning() && (p.runningTasks() == 0 || p.isConnecting(view.now())))
                || (p.isQueued() && view.now() < p.submittedAt() + STARTING));
    }

    /** Whether the time of a task is unknown or less than a minute. */
    private boolean isEligible(int task) {
        return !TimeGuesses.isKnown(view.workflow(), task) || view.workflow().timeMillis(task) < MINUTE;
    }

    /** The nodes that all ready tasks could use, if one of them is eligible; else 0. */
    private long useful() {
        Workflow workflow = view.workflow();
        long millicores = 0;
        int min = 1;
        boolean any = false;
        for (int task = view.nextReady(0); task >= 0; task = view.nextReady(task + 1)) {
            Resources needed = workflow.resources(task);
            millicores += needed.millicores() * needed.nodes();
            min = Math.max(min, needed.nodes());
            any |= isEligible(task);
        }
        long ofANode = (long) view.coresPerNode() * Resources.CORE;
        return any ? Math.max(min, (millicores + ofANode - 1) / ofANode) : 0;
    }

    /** The nodes of the narrowest of these tasks: fewer free nodes are of no use. */
    private int narrowest() {
        return view.readyTasks()
                .filter(this::isEligible)
                .map(task -> view.workflow().resources(task).nodes())
                .min()
                .orElse(Integer.MAX_VALUE);
    }

    /** The eligible ready tasks, and tasks of unknown times that follow ready ones. */
    private int[] eligible() {
        Workflow workflow = view.workflow();
        BitSet eligible = new BitSet(workflow.size());
        for (int task = view.nextReady(0); task >= 0; task = view.nextReady(task + 1)) {
            eligible.set(task, isEligible(task));
            for (int i = 0; i < workflow.children(task); i++) {
                int child = workflow.child(task, i);
                eligible.set(child, !TimeGuesses.isKnown(workflow, child));
            }
        }
        return eligible.stream().toArray();
    }

    /** A walltime for the longest of some tasks. */
    private long walltime(int[] tasks, double quantile, boolean byLimit) {
        return Arrays.stream(tasks)
                .mapToLong(task -> walltime(task, quantile, byLimit))
                .reduce(0, Math::max);
    }

    /** A walltime by a known time, by a quantile or, for the longest walltime, by the task's limit. */
    private long walltime(int task, double quantile, boolean byLimit) {
        Workflow workflow = view.workflow();
        long limit = workflow.limitMicros(task);
        if (TimeGuesses.isKnown(workflow, task)) {
            return profile.request(view.room(task));
        }
        return byLimit && limit != Workflow.UNKNOWN
                ? profile.enough(limit / 1_000)
                : profile.request(Math.max(
                        view.atLeast(task),
                        Math.min(DAY, guesses.distribution(task).quantile(quantile))));
    }

    /** The mean probability that one of some tasks ends within a walltime. */
    private double meanWithin(int[] tasks, long walltime) {
        double sum = 0;
        for (int task : tasks) {
            boolean known = TimeGuesses.isKnown(view.workflow(), task);
            sum += known ? 1 : guesses.distribution(task).within(walltime);
        }
        return sum / tasks.length;
    }

    /** The most nodes up to a number that are free now for a walltime. */
    private int freeNow(int max, long walltime) {
        return new PoolStarts(view.pools(), estimator).mostNow(view.now(), max, walltime);
    }
}
