package io.sheaf.platform;

/** Criterion C3: how many cores a task gets. */
@FunctionalInterface
public interface CoreCriterion {
    /** A number from 1 to most, the largest number of idle cores on a node of the chosen cluster. */
    int cores(Scenario scenario, int task, int most);

    /** As many cores as leave the parallel efficiency at this value or above. */
    record Efficiency(double least) implements CoreCriterion {
        @Override
        public int cores(Scenario scenario, int task, int most) {
            double alpha = scenario.alpha(task);
            int cores = most;
            while (cores > 1 && 1 / ((1 - alpha) * cores + alpha) < least) {
                cores--;
            }
            return cores;
        }
    }

    /** As many cores as there are. */
    record All() implements CoreCriterion {
        @Override
        public int cores(Scenario scenario, int task, int most) {
            return most;
        }
    }
}
