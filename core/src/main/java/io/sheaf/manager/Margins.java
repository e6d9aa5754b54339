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

    /** The walltime to request for a planned one, in milliseconds; rounded up to minutes if it is longer. */
    long walltime(long planned, Claim claim, ManagedRun run) {
        if (bounds.length == 0) {
            return planned;
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
        if (bound <= expected || expected == 0) {
            return planned;
        }
        return (long) Math.ceil(planned * (bound / expected) / MINUTE) * MINUTE;
    }
}
