package io.sheaf.slurm.whatif;

/** Nodes that some waiting jobs may get, of which a part is ours. */
final class Eligible {
    private final int size;
    private final int ours;
    private double carried;

    Eligible(int size, int ours) {
        this.size = size;
        this.ours = ours;
    }

    int size() {
        return size;
    }

    /** The part that is ours, 0 to 1. */
    double share() {
        return size == 0 ? 0 : (double) ours / size;
    }

    /** How many of so many nodes are taken to be ours; what is rounded off counts with the next job. */
    int oursOf(int nodes) {
        if (ours == size) {
            return nodes;
        }
        double wanted = nodes * share() + carried;
        int taken = (int) Math.floor(wanted + 0.5);
        carried = wanted - taken;
        return Math.min(taken, ours);
    }
}
