package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Attempts that a walltime cut off, with their time limits. The next attempt gets more time, a limited number of times. */
final class Timeouts {
    /** How often a task was cut off after at least twice the time it had before, and after how long. */
    private record Cuts(int count, long after) {}

    private static final Cuts NONE = new Cuts(0, 0);

    private final Map<Integer, Cuts> cuts = new TreeMap<>();
    /** The longest time of each category of tasks; null if it has to be computed. */
    private long @Nullable [] byCategory;

    /** Copies the state of another instance. */
    void copy(Timeouts source) {
        cuts.putAll(source.cuts);
        byCategory = null;
    }

    void restore(int task, int count, long after) {
        if (count > 0) {
            cuts.put(task, new Cuts(count, after));
            byCategory = null;
        }
    }

    /** Records a cut-off after this time. Returns how often a task was cut off after at least twice its previous time. */
    int add(int task, long after) {
        Cuts before = cuts.getOrDefault(task, NONE);
        if (before.count == 0 || after >= 2 * before.after) {
            cuts.put(task, new Cuts(before.count + 1, Math.max(1, after)));
            byCategory = null;
        }
        return count(task);
    }

    int count(int task) {
        return cuts.getOrDefault(task, NONE).count;
    }

    /** Tasks with a recorded cut-off. */
    Set<Integer> tasks() {
        return cuts.keySet();
    }

    /** The time after which the last recorded attempt of a task was cut off; 0 if there is none. */
    long after(int task) {
        // Called whenever a task might start; usually empty.
        return cuts.isEmpty() ? 0 : cuts.getOrDefault(task, NONE).after;
    }

    /** The longest time after which an attempt of a task of the same category was cut off; 0 if there is none. */
    long longestLike(int task, Workflow workflow) {
        if (cuts.isEmpty()) {
            return 0;
        }
        long[] longest = byCategory;
        if (longest == null || longest.length != workflow.categories().size()) {
            long[] found = new long[workflow.categories().size()];
            cuts.forEach((cutTask, cut) -> found[workflow.categoryNumber(cutTask)] =
                    Math.max(found[workflow.categoryNumber(cutTask)], cut.after));
            longest = found;
            byCategory = found;
        }
        return longest[workflow.categoryNumber(task)];
    }

    /** The minimum time of the next attempt: twice the last cut-off time. */
    long atLeast(int task) {
        return 2 * after(task);
    }
}
