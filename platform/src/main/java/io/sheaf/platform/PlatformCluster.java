package io.sheaf.platform;

/**
 * A cluster: equal nodes, one network-attached storage, a link to the backbone.
 *
 * @param speed of a core in Gflop/s; run times of tasks refer to {@link #REFERENCE_SPEED}
 * @param bandwidth of its link in bytes per second, both directions together
 * @param latency of its link in seconds
 * @param disk bandwidth of its storage, reads and writes together, in bytes per second
 * @param idleWatts power of an idle node, and of the storage's host
 * @param busyWatts power of a node with all cores busy
 */
public record PlatformCluster(
        String name,
        int nodes,
        int cores,
        double speed,
        double bandwidth,
        double latency,
        double disk,
        double idleWatts,
        double busyWatts) {
    /** The speed, in Gflop/s, of the reference core of run times. */
    public static final double REFERENCE_SPEED = 100;

    /** The time in seconds on this cluster's cores of work that takes this number of seconds on a reference core. */
    public double seconds(double reference) {
        return reference * REFERENCE_SPEED / speed;
    }

    int allCores() {
        return nodes * cores;
    }

    /** Watts that a computing core adds to an idle node. */
    double wattsPerCore() {
        return (busyWatts - idleWatts) / cores;
    }
}
