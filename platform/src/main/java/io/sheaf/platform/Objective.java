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
        double latest(PlatformSimulation simulation, double max) {
            return max;
        }
    },
    /** The energy of the platform up to that date, in joules. */
    ENERGY {
        @Override
        double value(PlatformSimulation simulation) {
            return simulation.execution().joules(simulation.now());
        }

        @Override
        double latest(PlatformSimulation simulation, double max) {
            double spent = simulation.execution().joules(0);
            double watts = simulation.scenario().platform().idleWatts();
            return watts > 0 ? (max - spent) / watts : Double.POSITIVE_INFINITY;
        }
    };

    /** The cost of a stopped simulation. */
    abstract double value(PlatformSimulation simulation);

    /** The date after which a simulation from here on certainly costs more than this. */
    abstract double latest(PlatformSimulation simulation, double max);
}
