package io.sheaf.manager;

import io.sheaf.predict.Retiming;
import io.sheaf.workflow.Workflow;
import java.util.Map;
import java.util.TreeMap;

/**
 * By how much walltimes are longer than strategies plan, where the times of tasks are learnt: strategies plan with medians, and a walltime should be enough for a higher quantile.
 *
 * <p>A pilot job gets as much more as its tasks that are left would take if all of them were as long as that quantile together: run times within a run tend to be long or short
 * together, since they depend on the same data.
 */
final class Margins {
    private static final long MINUTE = 60_000;

    /** For each task whose time was learnt the time that a walltime should allow for, in microseconds. */
    private final Map<Integer, Long> bounds = new TreeMap<>();

    void learn(Retiming times) {
        for (int i = 0; i < times.size(); i++) {
            bounds.put(times.task(i), times.bound(i));
        }
    }

    /** The time that a walltime should allow for, of each task whose time was learnt. */
    Map<Integer, Long> bounds() {
        return bounds;
    }

    /** Takes over what another one has learnt. */
    void take(Margins of) {
        bounds.putAll(of.bounds);
    }

    /** The walltime to ask for where a strategy asks for this one, in milliseconds; whole minutes if it is longer. */
    long walltime(long planned, Claim claim, ManagedRun run) {
        if (bounds.isEmpty()) {
            return planned;
        }
        Workflow workflow = run.workflow;
        double expected = 0;
        double bound = 0;
        int last = Math.min(claim.lastLevel(), workflow.levels() - 1);
        for (int level = claim.firstLevel(); level <= last; level++) {
            for (int i = 0; i < workflow.width(level); i++) {
                int task = workflow.taskOfLevel(level, i);
                if (claim.tasks().contains(task) && !run.isDone(task)) {
                    double time = Math.max(0, workflow.timeMicros(task))
                            * workflow.resources(task).allCores();
                    expected += time;
                    Long most = bounds.get(task);
                    bound += most == null
                            ? time
                            : Math.max(time, most * workflow.resources(task).allCores());
                }
            }
        }
        if (bound <= expected || expected == 0) {
            return planned;
        }
        return (long) Math.ceil(planned * (bound / expected) / MINUTE) * MINUTE;
    }

    void describe(StringBuilder text) {
        text.append(bounds);
    }
}
