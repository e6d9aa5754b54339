package io.sheaf.manager;

import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;

/**
 * The margin added to planned walltimes when run times are learnt: strategies plan with medians, and a walltime should cover a higher quantile.
 *
 * <p>The margin is the extra time that the remaining tasks of the pilot job need if all take that quantile. Run times within a run are correlated,
 * because they depend on the same data.
 */
final class Margins {
    private static final long MINUTE = 60_000;

    private static final int MAX_PERCENT = 10_000;

    private static final long NONE = -1;

    /** For each task, the time that a walltime should cover, in microseconds; {@link #NONE} if no time is learnt. */
    private long[] bounds = {};

    void learn(RunTimeUpdate times) {
        for (int i = 0; i < times.size(); i++) {
            int task = times.task(i);
            if (task >= bounds.length) {
                int before = bounds.length;
                bounds = Arrays.copyOf(bounds, Math.max(task + 1, before * 3 / 2));
                Arrays.fill(bounds, before, bounds.length, NONE);
            }
            bounds[task] = times.bound(i);
        }
    }

    /** Whether no time is learnt. */
    boolean isEmpty() {
        return bounds.length == 0;
    }

    boolean isLearnt(int task) {
        return task < bounds.length && bounds[task] != NONE;
    }

    /** The time that a walltime should cover for a task whose time is learnt, in microseconds. */
    long bound(int task) {
        return bounds[task];
    }

    /** Copies the state of another instance. */
    void copyFrom(Margins source) {
        bounds = source.bounds.clone();
    }

    /**
     * The walltime to request for a planned one, in milliseconds; rounded up to minutes if it is longer. Strategies whose claims start only tasks that fit plan with the
     * {@linkplain #percent margin} themselves, so that they estimate starts for the walltimes that are requested.
     */
    long walltime(long planned, Claim claim, ManagedRun run) {
        double factor = claim.onlyIfFits() ? 1 : factor(claim, run);
        return factor == 1 ? planned : (long) Math.ceil(planned * factor / MINUTE) * MINUTE;
    }

    /** The margin of a job that may run any task, in per cent of its planned walltime; limited, because learnt times may be close to zero. */
    int percent(ManagedRun run) {
        return (int) Math.min(MAX_PERCENT, Math.ceil((factor(Claim.all(run), run) - 1) * 100));
    }

    /** The time of the remaining tasks of a claim if all take the time that a walltime should cover, divided by the planned time; at least 1. */
    private double factor(Claim claim, ManagedRun run) {
        if (bounds.length == 0) {
            return 1;
        }
        Workflow workflow = run.workflow;
        double expected = 0;
        double bound = 0;
        int last = Math.min(claim.lastLevel(), workflow.levels() - 1);
        int[] tasks = workflow.tasksOfLevels(claim.firstLevel(), last)
                .filter(task -> claim.tasks().contains(task) && !run.isDone(task))
                .toArray();
        for (int task : tasks) {
            double cores = workflow.resources(task).allCores();
            double time = Math.max(0, workflow.timeMicros(task)) * cores;
            expected += time;
            bound += isLearnt(task) ? Math.max(time, bounds[task] * cores) : time;
        }
        return expected == 0 ? 1 : Math.max(1, bound / expected);
    }
}
