package io.sheaf.platform;

/** The workflow management system: hears of ended tasks, schedules ready ones with the algorithm in force. */
abstract sealed class Manager permits FreeManager, AskingManager {
    private final Simulation simulation;

    Manager(Simulation simulation) {
        this.simulation = simulation;
    }

    final Simulation simulation() {
        return simulation;
    }

    /** Begins the first round, or goes on where the simulation was stopped to choose an algorithm. */
    abstract void resume();

    /** A task has written its last file. */
    abstract void ended(int task);

    /** A message of the manager's own has arrived. */
    abstract void on(int kind, int task);

    abstract void copy(Manager other);

    static Manager of(Simulation simulation) {
        return simulation.scenario().model() == Model.PAPER
                ? new FreeManager(simulation)
                : new AskingManager(simulation);
    }
}
