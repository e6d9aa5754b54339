package io.sheaf.platform;

/** The locations of each file: the storage of clusters, and the user's machine. */
final class Storage {
    private final Scenario scenario;
    private final int clusters;
    /** A bit for each cluster, and the bit after them for the user's machine. */
    private final long[] places;

    Storage(Scenario scenario) {
        this.scenario = scenario;
        clusters = scenario.platform().clusters().size();
        places = new long[scenario.bytes.length];
        for (int file = 0; file < places.length; file++) {
            places[file] = scenario.produced[file] ? 0 : 1L << clusters;
        }
    }

    void put(int file, int cluster) {
        places[file] |= 1L << cluster;
    }

    boolean has(int cluster, int file) {
        return (places[file] & (1L << cluster)) != 0;
    }

    /** Where a cluster reads a file from: itself, else the user's machine (the number after all clusters), else the first other cluster. */
    int placeOf(int file, int cluster) {
        if (has(cluster, file)) {
            return cluster;
        }
        boolean atUser = (places[file] & (1L << clusters)) != 0;
        // A file that a later task writes can only have come from the user.
        return atUser || places[file] == 0 ? clusters : Long.numberOfTrailingZeros(places[file]);
    }

    /** The bytes of a task's inputs in a cluster's storage. */
    double inputBytes(int task, int cluster) {
        double sum = 0;
        for (int i = scenario.inputStart[task]; i < scenario.inputStart[task + 1]; i++) {
            if (has(cluster, scenario.inputs[i])) {
                sum += scenario.bytes[scenario.inputs[i]];
            }
        }
        return sum;
    }

    void copy(Storage other) {
        System.arraycopy(other.places, 0, places, 0, places.length);
    }
}
