package io.sheaf.platform;

/** How files move between disks and nodes: as fluids, or in chunks. */
abstract sealed class Transfers permits FluidTransfers, ChunkedTransfers {
    /** Begins to read a file for a task from a place: a cluster or, after the last, the user's machine. */
    abstract void read(int task, int file, int place);

    /** Begins to write a file of a task into the storage of the task's cluster. */
    abstract void write(int task, int file);

    /** Handles an event; returns true when the task's transfer is complete. */
    abstract boolean on(int kind, int task);

    abstract void copy(Transfers other);

    static Transfers of(PlatformSimulation simulation) {
        return simulation.scenario().model() == Model.PAPER
                ? new FluidTransfers(simulation)
                : new ChunkedTransfers(simulation);
    }
}
