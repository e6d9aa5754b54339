package io.sheaf.workflow;

import io.sheaf.text.CoresText;

/**
 * Resources of a task: whole cores, or a share of one core.
 *
 * @param cores cores on each node, at least 1; 1 with a share
 * @param memory bytes on each node; 0 if not specified
 * @param gpus GPUs on each node
 * @param nodes nodes; more than one for MPI tasks
 * @param share share of one core, in thousandths; 0 for whole cores
 */
public record Resources(int cores, long memory, int gpus, int nodes, int share) {
    /** A whole core in thousandths. */
    public static final int CORE = CoresText.CORE;

    /** One core of one node. */
    public static final Resources ONE_CORE = new Resources(1, 0, 0, 1);

    public Resources {
        if (cores < 1 || memory < 0 || gpus < 0 || nodes < 1) {
            throw new IllegalArgumentException(
                    "cores " + cores + ", memory " + memory + ", gpus " + gpus + ", nodes " + nodes);
        }
        if (share < 0 || share >= CORE || (share > 0 && (cores != 1 || nodes != 1))) {
            throw new IllegalArgumentException(
                    "a share of " + share + " thousandths of " + cores + " cores of " + nodes + " nodes");
        }
    }

    /** Whole cores. */
    public Resources(int cores, long memory, int gpus, int nodes) {
        this(cores, memory, gpus, nodes, 0);
    }

    /** With thousandths of a core on each node: whole cores, or less than one. */
    public static Resources of(long millicores, long memory, int gpus, int nodes) {
        return millicores < CORE
                ? new Resources(1, memory, gpus, nodes, (int) millicores)
                : new Resources(Math.toIntExact(millicores / CORE), memory, gpus, nodes);
    }

    /** Whether it needs less than a core. */
    public boolean isShare() {
        return share > 0;
    }

    /** What it needs of the cores of each node, in thousandths of a core. */
    public long millicores() {
        return isShare() ? share : (long) cores * CORE;
    }

    /** What it needs on all nodes together, in cores. */
    public double allCores() {
        return isShare() ? share / (double) CORE : (double) cores * nodes;
    }

    /** The cores on each node as people write them: {@code 2} or {@code 0.5}. */
    public String coresText() {
        return CoresText.text(millicores());
    }
}
