package io.sheaf.runtime.cluster;

import io.sheaf.batch.Policy;
import io.sheaf.workflow.Resources;

/** Embedded clusters of tests, with conservative backfilling and nodes of which only cores are counted. */
public final class Shapes {
    private Shapes() {}

    /** A cluster without background jobs. */
    public static ClusterShape of(int nodes, int coresPerNode) {
        return of(nodes, coresPerNode, "", 0);
    }

    public static ClusterShape of(int nodes, int coresPerNode, String background, long seed) {
        return new ClusterShape(nodes, Resources.node(coresPerNode), Policy.conservative(), background, seed);
    }
}
