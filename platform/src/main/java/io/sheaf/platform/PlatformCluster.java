package io.sheaf.platform;

/**
 * A cluster: equal nodes, one network-attached storage, a link to the rest of the world.
 *
 * @param speed of a core in Gflop/s; a task's run time is told for {@link #REFERENCE_SPEED}
 * @param bandwidth of its link in bytes a second, both directions together
 * @param latency of its link in seconds
 * @param disk what its storage reads and writes together, in bytes a second
 * @param idleWatts what a node or the storage's host draws when it does nothing
 * @param busyWatts what a node draws when all its cores compute
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
    /** The speed, in Gflop/s, of the core that run times are told for. */
    public static final double REFERENCE_SPEED = 100;

    /** How long a core of this cluster takes for what a reference core does in so many seconds. */
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
