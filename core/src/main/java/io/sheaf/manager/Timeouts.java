package io.sheaf.manager;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Tasks whose attempts a walltime ended, with the time they had: the next attempt gets more time, a limited number of times. */
final class Timeouts {
    /** How often a task was cut off after at least twice the time it had before, and after how long. */
    private record Cuts(int count, long after) {}

    private static final Cuts NONE = new Cuts(0, 0);

    private final Map<Integer, Cuts> cuts = new TreeMap<>();

    /** The same as others. */
    void copy(Timeouts of) {
        cuts.putAll(of.cuts);
    }

    void restore(int task, int count, long after) {
        if (count > 0) {
            cuts.put(task, new Cuts(count, after));
        }
    }

    /** An attempt was cut off after so long; how often that has happened after twice as long as before. */
    int add(int task, long after) {
        Cuts before = cuts.getOrDefault(task, NONE);
        if (before.count == 0 || after >= 2 * before.after) {
            cuts.put(task, new Cuts(before.count + 1, Math.max(1, after)));
        }
        return count(task);
    }

    int count(int task) {
        return cuts.getOrDefault(task, NONE).count;
    }

    /** Tasks of which an attempt was cut off. */
    Set<Integer> tasks() {
        return cuts.keySet();
    }

    /** After how long an attempt of a task was cut off that counted; 0 if none did. */
    long after(int task) {
        // Asked whenever a task might start, and mostly there are none.
        return cuts.isEmpty() ? 0 : cuts.getOrDefault(task, NONE).after;
    }

    /** How long a task is to have because of that: twice as long. */
    long atLeast(int task) {
        return 2 * after(task);
    }

    @Override
    public String toString() {
        return cuts.toString();
    }
}
