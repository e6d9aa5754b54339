package io.sheaf.platform;

/** The workflow management system: hears of ended tasks, schedules ready ones with the algorithm in force. */
abstract sealed class PlatformManager permits PaperManager, PublishedManager {
    private final PlatformSimulation simulation;

    PlatformManager(PlatformSimulation simulation) {
        this.simulation = simulation;
    }

    final PlatformSimulation simulation() {
        return simulation;
    }

    /** Begins the first round, or goes on where the simulation was stopped to choose an algorithm. */
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
