package io.sheaf.manager;

import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Observed run times per kind of task, for runs whose given times are the user's upper limits: {@code runtime} of Snakemake, {@code -t} of a batch
 * system.
 *
 * <p>Such limits are often much too long, so that a pilot job would start no task although several fit. The bound of a kind (category and cores) is
 * 1.5 times the longest recent run time, and never more than the limit. Before enough tasks have succeeded, it is two thirds of the limit. The bound
 * only decides whether a task still fits. It changes no request and ends no task. A task that exceeds it is cut off by the walltime and retried with
 * more time.
 */
final class ObservedTimes {
    private static final int MIN = 3;
    private static final int LATEST = 50;

    /** Before any observation, the bound is the limit less this fraction (1/n). */
    private static final int UNSEEN_LESS = 3;

    private final Map<String, ArrayDeque<Long>> kinds = new TreeMap<>();

    ObservedTimes() {}

    ObservedTimes(ObservedTimes source) {
        source.kinds.forEach((kind, times) -> kinds.put(kind, new ArrayDeque<>(times)));
    }

    /** Records the run time of a task, in milliseconds. */
    void add(Workflow workflow, int task, long millis) {
        ArrayDeque<Long> times = kinds.computeIfAbsent(kind(workflow, task), each -> new ArrayDeque<>());
        times.addLast(millis);
        if (times.size() > LATEST) {
            times.removeFirst();
        }
    }

    /** An upper bound of the run time of a task, in milliseconds. */
    long bound(Workflow workflow, int task, long allowed) {
        ArrayDeque<Long> times = kinds.isEmpty() ? null : kinds.get(kind(workflow, task));
        if (times == null || times.size() < MIN) {
            return allowed - allowed / UNSEEN_LESS;
        }
        long longest = 1;
        for (long each : times) {
            longest = Math.max(longest, each);
        }
        return Math.min(allowed, longest + longest / 2);
    }

    private static String kind(Workflow workflow, int task) {
        return ExpectedRunTimes.category(workflow, task)
                + ' '
                + workflow.resources(task).allCores();
    }
}
