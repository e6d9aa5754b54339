package io.sheaf.platform;

/** Criterion C3: how many cores a task gets. */
@FunctionalInterface
public interface CoreCriterion {
    /** A number from 1 to most, the largest number of idle cores on a node of the chosen cluster. */
    int cores(Scenario scenario, int task, int max);

    /**
     * As many cores as keep the parallel efficiency 1 / ((1 − α) n + α) at this value or above it.
     *
     * <p>The paper has "above 90 %". The authors' simulator, which produced the published makespans, compares with ≥, and so does this
     * class in both models.
     */
    record Efficiency(double min) implements CoreCriterion {
        @Override
        public int cores(Scenario scenario, int task, int max) {
            return cores(scenario.alpha(task), max);
        }

        int cores(double alpha, int max) {
            int cores = max;
            while (cores > 1 && 1 / ((1 - alpha) * cores + alpha) < min) {
                cores--;
            }
            return cores;
        }
    }

    /** All idle cores of the node. */
    record All() implements CoreCriterion {
        @Override
        public int cores(Scenario scenario, int task, int max) {
            return max;
        }
    }
}
