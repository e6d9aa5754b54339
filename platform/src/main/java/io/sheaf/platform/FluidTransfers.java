package io.sheaf.platform;

/**
 * Files as fluids: all parts of a transfer run side by side, and the slowest decides.
 *
 * <p>A read uses the disk that holds the file and the route from there; a read from elsewhere also writes a copy to the own cluster's
 * storage on the way. A write uses the route inside the cluster and the disk of its storage. Disks are shared equally between
 * operations and links by weight between flows, so the two do not hold each other up before the end.
 */
final class FluidTransfers extends Transfers {
    private static final int BEGIN_READ = 0;
    private static final int BEGIN_WRITE = 1;
    private static final int PART = 2;

    private final PlatformSimulation simulation;
    private final Kernel kernel;
    private final Scenario scenario;
    private final byte[] parts;
    private final int[] file;
    private final byte[] place;

    FluidTransfers(PlatformSimulation simulation) {
        this.simulation = simulation;
        kernel = simulation.kernel;
        scenario = simulation.scenario();
        parts = new byte[scenario.size()];
        file = new int[scenario.size()];
        place = new byte[scenario.size()];
    }

    @Override
    void read(int task, int file, int from) {
        int cluster = simulation.clusterOf(task);
        int route = kernel.routes.from(from, cluster);
        double bytes = scenario.bytes[file];
        begin(task, file, from, bytes, from == cluster ? 2 : 3);
        kernel.send(route, bytes, EventToken.of(PART, task));
        kernel.send(route, 0, EventToken.of(BEGIN_READ, task));
    }

    @Override
    void write(int task, int made) {
        int cluster = simulation.clusterOf(task);
        int route = kernel.routes.inside(cluster);
        double bytes = scenario.bytes[made];
        begin(task, made, cluster, bytes, 2);
        kernel.send(route, bytes, EventToken.of(PART, task));
        kernel.send(route, 0, EventToken.of(BEGIN_WRITE, task));
    }

    private void begin(int task, int moved, int from, double bytes, int count) {
        file[task] = moved;
        place[task] = (byte) from;
        // An empty file costs its latency alone.
        parts[task] = (byte) (bytes > 0 ? count : 1);
    }

    @Override
    boolean on(int kind, int task) {
        double bytes = scenario.bytes[file[task]];
        if (kind == PART) {
            return --parts[task] == 0;
        }
        if (bytes > 0) {
            int cluster = simulation.clusterOf(task);
            int token = EventToken.of(PART, task);
            kernel.disk(place[task], bytes, token);
            if (kind == BEGIN_READ && place[task] != cluster) {
                kernel.disk(cluster, bytes, token);
            }
        }
        return false;
    }

    @Override
    void copy(Transfers other) {
        FluidTransfers target = (FluidTransfers) other;
        System.arraycopy(target.parts, 0, parts, 0, parts.length);
        System.arraycopy(target.file, 0, file, 0, file.length);
        System.arraycopy(target.place, 0, place, 0, place.length);
    }
}
