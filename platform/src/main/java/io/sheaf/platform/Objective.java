package io.sheaf.platform;

/** What a portfolio minimises. */
public enum Objective {
    /** The date at which the last completion is known, in seconds. */
    MAKESPAN,
    /** The energy of the platform up to that date, in joules. */
    ENERGY;

    /** The cost of a stopped simulation. */
    double value(PlatformSimulation simulation) {
        return this == MAKESPAN ? simulation.now() : simulation.execution().joules(simulation.now());
    }

    /** The date after which a simulation from here on certainly costs more than this. */
    double latest(PlatformSimulation simulation, double max) {
        if (this == MAKESPAN) {
            return max;
        }
        double spent = simulation.execution().joules(0);
        double watts = simulation.scenario().platform().idleWatts();
        return watts > 0 ? (max - spent) / watts : Double.POSITIVE_INFINITY;
    }
}
