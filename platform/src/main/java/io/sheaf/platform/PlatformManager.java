package io.sheaf.platform;

/** The workflow management system: receives ends of tasks and schedules ready ones with the current algorithm. */
abstract sealed class PlatformManager permits PaperManager, PublishedManager {
    final PlatformSimulation simulation;

    PlatformManager(PlatformSimulation simulation) {
        this.simulation = simulation;
    }

    /** Starts the first round, or continues after a stop at which an algorithm was chosen. */
    abstract void resume();

    /** A task has written its last file. */
    abstract void ended(int task);

    /** A message of the manager's own has arrived. */
    abstract void on(int kind, int task);

    abstract void copy(PlatformManager other);

    static PlatformManager of(PlatformSimulation simulation) {
        return simulation.scenario().model() == Model.PAPER
                ? new PaperManager(simulation)
                : new PublishedManager(simulation);
    }
}
