package io.sheaf.workflow;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a moldable task may run on, with its run time on each. Immutable.
 *
 * <p>Variants have ascending core counts and strictly descending run times: a count that is not faster than a smaller one is left out. A task of one node scales within a node; a task of several nodes
 * scales over nodes, with its {@code cores} on each.
 */
public final class Variants {
    private final Resources[] needs;
    private final long[] micros;

    private Variants(Resources[] needs, long[] micros) {
        this.needs = needs;
        this.micros = micros;
    }

    /**
     * The variants of a task; null if it is not moldable.
     *
     * @param declared what the task needs on its declared cores
     * @param expected its run time on these, in microseconds; the table's times count in proportion to it
     */
    static @Nullable Variants of(Resources declared, long expected, Scaling scaling) {
        if (declared.isShare() || expected <= 0) {
            return null;
        }
        double ratio = (double) expected / Math.max(1, scaling.on(declared.cores() * declared.nodes()));
        Resources[] needs = new Resources[scaling.size()];
        long[] micros = new long[scaling.size()];
        int count = 0;
        for (int i = 0; i < scaling.size(); i++) {
            Resources on = on(declared, scaling.cores(i));
            long time = Math.max(1, Math.round(scaling.micros(i) * ratio));
            if (on != null && (count == 0 || time < micros[count - 1])) {
                needs[count] = on;
                micros[count++] = time;
            }
        }
        return count < 2 ? null : new Variants(Arrays.copyOf(needs, count), Arrays.copyOf(micros, count));
    }

    /** What a task needs on another number of cores; null if its nodes have fewer. */
    private static @Nullable Resources on(Resources declared, int cores) {
        if (declared.nodes() == 1) {
            return declared.cores(cores);
        }
        return cores % declared.cores() == 0 ? declared.nodes(cores / declared.cores()) : null;
    }

    Scaling table(int[] selected) {
        Map<Integer, Long> table = new TreeMap<>();
        for (int variant : selected) {
            table.put(cores(variant), micros[variant]);
        }
        return new Scaling(table);
    }

    public int size() {
        return needs.length;
    }

    public Resources needs(int variant) {
        return needs[variant];
    }

    /** The run time in microseconds. */
    public long micros(int variant) {
        return micros[variant];
    }

    /** The cores on all nodes. */
    public int cores(int variant) {
        return needs[variant].cores() * needs[variant].nodes();
    }

    /** The variant with the cores and nodes of an attempt; −1 if there is none. */
    public int find(Resources attempt) {
        for (int i = 0; i < needs.length; i++) {
            if (needs[i].cores() == attempt.cores() && needs[i].nodes() == attempt.nodes()) {
                return i;
            }
        }
        return -1;
    }
}
