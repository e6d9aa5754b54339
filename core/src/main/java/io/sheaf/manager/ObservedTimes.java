package io.sheaf.manager;

import io.sheaf.predict.TimesInUse;
import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Observed run times of each kind of task in this run, where given times are the user's upper limits: {@code runtime} of Snakemake, {@code -t} of a
 * batch system.
 *
 * <p>Such times are often many times too long, and a pilot job would take no task any more though ten would fit. So once some of a kind (a category, on as many cores) have
 * ended well, a task of it is taken to need the longest of the latest and half as much again, and never more than was allowed for; before, two thirds of that, since who allows for a time
 * rounds up, and has what goes before and after a task in it. Nothing is asked for or ended by that: it only
 * says whether a task still fits; one that does take longer is cut off by the walltime and tried again with more time, like any other.
 */
final class ObservedTimes {
    private static final int LEAST = 3;
    private static final int LATEST = 50;

    /** By so great a part of it less than was allowed for. */
    private static final int UNSEEN_LESS = 3;

    private final Map<String, ArrayDeque<Long>> kinds = new TreeMap<>();

    ObservedTimes() {}

    ObservedTimes(ObservedTimes of) {
        of.kinds.forEach((kind, times) -> kinds.put(kind, new ArrayDeque<>(times)));
    }

    /** A task has taken so long, in milliseconds. */
    void took(Workflow workflow, int task, long taken) {
        ArrayDeque<Long> times = kinds.computeIfAbsent(kind(workflow, task), each -> new ArrayDeque<>());
        times.addLast(taken);
        if (times.size() > LATEST) {
            times.removeFirst();
        }
    }

    /** How long a task may well take. */
    long bound(Workflow workflow, int task, long allowed) {
        ArrayDeque<Long> times = kinds.isEmpty() ? null : kinds.get(kind(workflow, task));
        if (times == null || times.size() < LEAST) {
            return allowed - allowed / UNSEEN_LESS;
        }
        long longest = 1;
        for (long each : times) {
            longest = Math.max(longest, each);
        }
        return Math.min(allowed, longest + longest / 2);
    }

    private static String kind(Workflow workflow, int task) {
        return TimesInUse.category(workflow, task)
                + ' '
                + workflow.resources(task).allCores();
    }

    void describe(StringBuilder text) {
        if (!kinds.isEmpty()) {
            text.append(" seen ").append(kinds);
        }
    }
}
