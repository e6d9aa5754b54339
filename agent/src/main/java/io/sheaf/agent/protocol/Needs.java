package io.sheaf.agent.protocol;

import java.util.List;

/**
 * The resources that a task may use.
 *
 * @param cores cores of this node; 1 where it has a part of one
 * @param memoryBytes memory of its processes together, 0 for no limit
 * @param gpus graphics processors of this node
 * @param limitMillis how long it may run, 0 for no limit
 * @param nodes host names of all nodes of a task that spans several, this one first; empty otherwise
 * @param share the part of one core that it has, in thousandths; 0 if it has whole cores
 * @param sharedCore the number of that shared core: tasks with the same number share one
 */
public record Needs(
        int cores, long memoryBytes, int gpus, long limitMillis, List<String> nodes, int share, int sharedCore) {
    /** A whole core in thousandths. */
    public static final int CORE = 1000;

    public Needs {
        nodes = List.copyOf(nodes);
        if (cores < 1 || memoryBytes < 0 || gpus < 0 || limitMillis < 0) {
            throw new IllegalArgumentException("a task cannot need " + cores + " cores, " + memoryBytes + " bytes, "
                    + gpus + " gpus, " + limitMillis + " ms");
        }
        boolean several = cores > 1 || !nodes.isEmpty();
        if (share < 0 || share >= CORE || sharedCore < 0 || (share > 0 && several)) {
            throw new IllegalArgumentException("a task cannot need " + share + " thousandths of shared core "
                    + sharedCore + " and " + cores + " cores of " + Math.max(1, nodes.size()) + " nodes");
        }
    }

    /** Whole cores. */
    public Needs(int cores, long memoryBytes, int gpus, long limitMillis, List<String> nodes) {
        this(cores, memoryBytes, gpus, limitMillis, nodes, 0, 0);
    }

    public static Needs cores(int cores) {
        return new Needs(cores, 0, 0, 0, List.of());
    }

    /** The same, but on this one of the node's shared cores. */
    public Needs on(int core) {
        return new Needs(cores, memoryBytes, gpus, limitMillis, nodes, share, core);
    }

    public boolean isShare() {
        return share > 0;
    }
}
