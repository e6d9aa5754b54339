package io.sheaf.manager;

import io.sheaf.predict.Retiming;
import io.sheaf.workflow.Workflow;
import java.util.Map;
import java.util.TreeMap;

/**
 * The margin added to planned walltimes when run times are learnt: strategies plan with medians, and a walltime should cover a higher quantile.
 *
 * <p>The margin is the extra time that the remaining tasks of the pilot job need if all take that quantile. Run times within a run are correlated,
 * because they depend on the same data.
 */
final class Margins {
    private static final long MINUTE = 60_000;

    /** For each task with a learnt time, the time that a walltime should cover, in microseconds. */
    private final Map<Integer, Long> bounds = new TreeMap<>();

    void learn(Retiming times) {
        for (int i = 0; i < times.size(); i++) {
            bounds.put(times.task(i), times.bound(i));
        }
    }

    Map<Integer, Long> bounds() {
        return bounds;
    }

    /** Copies the state of another instance. */
    void take(Margins of) {
        bounds.putAll(of.bounds);
    }

    /** The walltime to request for a planned one, in milliseconds; rounded up to minutes if it is longer. */
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
