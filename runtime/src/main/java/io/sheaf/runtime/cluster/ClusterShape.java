package io.sheaf.runtime.cluster;

import io.sheaf.batch.Policy;

/**
 * The configuration of an embedded cluster.
 *
 * @param background background jobs, such as {@code kth-like@60x}; empty for none
 * @param seed of the background jobs
 */
public record ClusterShape(int nodes, int coresPerNode, Policy policy, String background, long seed) {
    public ClusterShape {
        if (nodes < 1 || coresPerNode < 1) {
            throw new IllegalArgumentException(nodes + " nodes of " + coresPerNode + " cores");
        }
        if (!background.isEmpty()) {
            ModelledLoad.of(background, nodes, seed);
        }
    }

    /** An empty cluster with conservative backfilling. */
    public static ClusterShape of(int nodes, int coresPerNode) {
        return new ClusterShape(nodes, coresPerNode, Policy.conservative(), "", 0);
    }
}
