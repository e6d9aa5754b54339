package io.sheaf.batch;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The memory of a cluster, which the jobs of a {@link BatchEngine} count against beside its units. Immutable.
 *
 * <p>It is expressed as <em>resources</em>: amounts of which running and planned jobs together never use more than there is. A job's need of each
 * follows from its units and its memory on each unit, in bytes.
 *
 * <h2>Shared nodes</h2>
 * Jobs share nodes, and a unit is usually a core. The only resource is the memory of all nodes, in MiB. How it is split over the nodes is not counted,
 * so a job may be expected to start although no single node has enough left.
 *
 * <h2>Whole nodes</h2>
 * A unit is a node, and nodes differ in memory. For each size but the smallest there is one resource: the nodes of at least that size. A job that
 * does not fit on smaller nodes needs as many of them as it has units. This is exact if the batch system allocates the smallest nodes that suffice.
 */
public final class PoolMemory {
    /** Memory is not counted. */
    public static final PoolMemory UNCOUNTED = new PoolMemory(new int[0], new long[0], Long.MAX_VALUE);

    private static final long MIB = 1 << 20;

    /** The maximum memory of a job in MiB, so that sums of two are integers. */
    private static final double MAX = 1 << 30;

    private final int[] amounts;
    /** By resource: the memory above which a job needs whole nodes of it; empty for shared nodes. */
    private final long[] above;

    private final long largest;

    private PoolMemory(int[] amounts, long[] above, long largest) {
        this.amounts = amounts;
        this.above = above;
        this.largest = largest;
    }

    /** The memory of shared nodes, in bytes in total. */
    public static PoolMemory shared(long total) {
        return new PoolMemory(new int[] {mib(total / MIB)}, new long[0], Long.MAX_VALUE);
    }

    /** The memory of whole nodes: the number of nodes by their memory in bytes. */
    public static PoolMemory ofNodes(Map<Long, Integer> counts) {
        TreeMap<Long, Integer> sizes = new TreeMap<>(counts);
        if (sizes.isEmpty()) {
            return UNCOUNTED;
        }
        long largest = sizes.lastKey();
        int[] amounts = new int[sizes.size() - 1];
        long[] above = new long[amounts.length];
        int nodes = 0;
        for (int i = amounts.length - 1; i >= 0; i--) {
            nodes += sizes.pollLastEntry().getValue();
            amounts[i] = nodes;
            above[i] = sizes.lastKey();
        }
        return new PoolMemory(amounts, above, largest);
    }

    private static int mib(long count) {
        return (int) Math.min(Integer.MAX_VALUE / 2, count);
    }

    int resources() {
        return amounts.length;
    }

    /** How much there is of a resource if only some of the units are up, in proportion. */
    int amount(int resource, int units, int allUnits) {
        return (int) ((long) amounts[resource] * units / allUnits);
    }

    /** A job's need of a resource; a job that was accepted elsewhere needs at most what there is. */
    int need(int resource, int units, long memory) {
        if (above.length > 0) {
            return memory > above[resource] ? Math.min(units, amounts[resource]) : 0;
        }
        return Math.min(amounts[resource], megabytes(units, memory));
    }

    private static int megabytes(int units, long memory) {
        double exact = Math.ceil((double) memory / MIB) * units;
        return (int) Math.min(MAX, exact);
    }

    /** Whether the cluster has enough for a job. */
    boolean suffices(int units, long memory) {
        if (memory > largest) {
            return false;
        }
        for (int i = 0; i < amounts.length; i++) {
            int needed = above.length > 0 ? (memory > above[i] ? units : 0) : megabytes(units, memory);
            if (needed > amounts[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PoolMemory that
                && largest == that.largest
                && Arrays.equals(amounts, that.amounts)
                && Arrays.equals(above, that.above);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(amounts) + Arrays.hashCode(above);
    }

    @Override
    public String toString() {
        return "memory " + Arrays.toString(amounts) + " above " + Arrays.toString(above);
    }
}
