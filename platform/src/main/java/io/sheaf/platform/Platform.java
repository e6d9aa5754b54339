package io.sheaf.platform;

import java.util.List;

/**
 * Several clusters and the user's machine, which stores a workflow's input files.
 *
 * <p>Routes are those of the published study: the user's link, a cluster's link, that cluster's backbone, the node's own link; between
 * clusters both links and both backbones; inside a cluster the backbone alone between the nodes' links.
 *
 * @param publishedOrder the numbers of the clusters in the order in which the published data were made
 */
public record Platform(
        String name, List<PlatformCluster> clusters, UserMachine user, Fabric fabric, List<Integer> publishedOrder) {
    /** Clusters are bits of a long, and one bit is the user's machine. */
    static final int MAX_CLUSTERS = 62;

    /**
     * The user's machine.
     *
     * @param bandwidth of its link in bytes a second
     * @param latency of its link in seconds
     * @param disk in bytes a second
     */
    public record UserMachine(double bandwidth, double latency, double disk) {}

    /**
     * What connects the nodes of a cluster.
     *
     * @param backbone bandwidth in bytes a second, shared by all nodes
     * @param node bandwidth of a node's own link, in bytes a second
     * @param nodeLatency of a node's own link, in seconds
     */
    public record Fabric(double backbone, double node, double nodeLatency) {}

    public Platform {
        clusters = List.copyOf(clusters);
        publishedOrder = List.copyOf(publishedOrder);
        if (clusters.isEmpty() || clusters.size() > MAX_CLUSTERS) {
            throw new IllegalArgumentException("a platform has 1 to " + MAX_CLUSTERS + " clusters");
        }
    }

    public int cores() {
        return clusters.stream().mapToInt(PlatformCluster::allCores).sum();
    }

    /** Watts of all nodes and of the hosts of the storage, doing nothing. */
    double idleWatts() {
        return clusters.stream()
                .mapToDouble(cluster -> (cluster.nodes() + 1) * cluster.idleWatts())
                .sum();
    }
}
