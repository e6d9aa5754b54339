package io.sheaf.runtime.cluster;

import io.sheaf.batch.Policy;
import io.sheaf.workflow.Resources;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an embedded cluster.
 *
 * @param node what a node has for tasks
 * @param background background jobs, such as {@code kth-like@60x}; empty for none
 * @param seed of the background jobs
 */
public record ClusterShape(int nodes, Resources node, Policy policy, String background, long seed) {
    public ClusterShape {
        if (nodes < 1) {
            throw new IllegalArgumentException(nodes + " nodes");
        }
        if (!background.isEmpty()) {
            ModelledLoad.of(background, nodes, seed);
        }
    }

    public int coresPerNode() {
        return node.cores();
    }

    /** Its background jobs; null for none. */
    @Nullable
    ModelledLoad load() {
        return background.isEmpty() ? null : ModelledLoad.of(background, nodes, seed);
    }
}
