package io.sheaf.platform;

/** What a portfolio minimises. */
public enum Objective {
    /** The date at which the last completion is known, in seconds. */
    MAKESPAN {
        @Override
        double value(PlatformSimulation simulation) {
            return simulation.now();
        }

        @Override
        double latest(PlatformSimulation simulation, double most) {
            return most;
        }
    },
    /** The energy of the platform up to that date, in joules. */
    ENERGY {
        @Override
        double value(PlatformSimulation simulation) {
            return simulation.execution().joules(simulation.now());
        }

        @Override
        double latest(PlatformSimulation simulation, double most) {
            double spent = simulation.execution().joules(0);
            double watts = simulation.scenario().platform().idleWatts();
            return watts > 0 ? (most - spent) / watts : Double.POSITIVE_INFINITY;
        }
    };

    /** What a simulation that has come to its stop has cost. */
    abstract double value(PlatformSimulation simulation);

    /** The date after which a simulation that goes on from here certainly costs more than this. */
    abstract double latest(PlatformSimulation simulation, double most);
}
