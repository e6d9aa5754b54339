package io.sheaf.workflow;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long a task takes on how many cores: a table measured at a few core counts.
 *
 * <p>Cores count over all nodes. Between two counts of the table the smaller one's time holds, since a program that was never run on
 * more cores promises nothing; below the smallest count the work is stretched in proportion.
 */
public final class Scaling {
    private final int[] cores;
    private final long[] micros;

    /** A table from cores to microseconds. */
    public Scaling(Map<Integer, Long> table) {
        if (table.isEmpty()) {
            throw new IllegalArgumentException("no core count");
        }
        TreeMap<Integer, Long> ascending = new TreeMap<>(table);
        cores = ascending.keySet().stream().mapToInt(Integer::intValue).toArray();
        micros = ascending.values().stream().mapToLong(Long::longValue).toArray();
        if (cores[0] < 1 || Arrays.stream(micros).anyMatch(time -> time < 0)) {
            throw new IllegalArgumentException("core counts start at 1 and times at 0: " + table);
        }
    }

    public int size() {
        return cores.length;
    }

    public int cores(int index) {
        return cores[index];
    }

    public long micros(int index) {
        return micros[index];
    }

    /** The run time on this many cores, in microseconds. */
    public long on(int count) {
        int at = Arrays.binarySearch(cores, count);
        if (at < 0) {
            at = -at - 2;
        }
        return at >= 0 ? micros[at] : Math.multiplyExact(micros[0], cores[0]) / Math.max(1, count);
    }

    /** The largest count at which cores do at least half of the work that they do at the smallest one. */
    public int usual() {
        int last = 0;
        for (int i = 1; i < cores.length; i++) {
            last = (double) micros[0] * cores[0] >= 0.5 * micros[i] * cores[i] ? i : last;
        }
        return cores[last];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Scaling that && Arrays.equals(cores, that.cores) && Arrays.equals(micros, that.micros);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(cores) + Arrays.hashCode(micros);
    }

    @Override
    public String toString() {
        return "Scaling" + Arrays.toString(cores) + Arrays.toString(micros);
    }
}
