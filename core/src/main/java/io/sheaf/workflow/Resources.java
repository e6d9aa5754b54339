package io.sheaf.workflow;

/**
 * What one task needs while it runs.
 *
 * @param cores cores on each node, at least 1
 * @param memory bytes on each node; 0 where nothing was said
 * @param gpus GPUs on each node
 * @param nodes nodes; more than one for MPI tasks
 */
public record Resources(int cores, long memory, int gpus, int nodes) {
    /** One core of one node. */
    public static final Resources ONE_CORE = new Resources(1, 0, 0, 1);

    public Resources {
        if (cores < 1 || memory < 0 || gpus < 0 || nodes < 1) {
            throw new IllegalArgumentException(
                    "cores " + cores + ", memory " + memory + ", gpus " + gpus + ", nodes " + nodes);
        }
    }
}
