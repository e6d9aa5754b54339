package io.sheaf.platform;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Compares simulated and published makespans of the 36 algorithms in a scenario of the published study. */
final class Agreement {
    private final String workflow;
    private final String platform;
    private final double[] simulated;
    private final double[] published;

    private Agreement(String workflow, String platform, double[] simulated, double[] published) {
        this.workflow = workflow;
        this.platform = platform;
        this.simulated = simulated;
        this.published = published;
    }

    /** Simulates all 36 algorithms in parallel. */
    static Agreement of(String scenario, double[] published) {
        String[] names = scenario.split(" ");
        Scenario simulated = PublishedData.scenario(names[0], names[1], false);
        List<Algorithm> algorithms = Algorithms.of(Model.PUBLISHED);
        double[] makespans = IntStream.range(0, algorithms.size())
                .parallel()
                .mapToDouble(x -> PlatformSimulation.run(simulated, algorithms.get(x))
                        .execution()
                        .makespan())
                .toArray();
        return new Agreement(names[0], names[1], makespans, published);
    }

    String workflow() {
        return workflow;
    }

    String platform() {
        return platform;
    }

    double meanError() {
        return IntStream.range(0, simulated.length)
                .mapToDouble(x -> Math.abs(simulated[x] / published[x] - 1))
                .average()
                .orElseThrow();
    }

    /** The published makespan of the algorithm that is best in the simulation, relative to the published best. */
    double costOfTheSimulatedBest() {
        int first = 0;
        for (int x = 1; x < simulated.length; x++) {
            first = simulated[x] < simulated[first] ? x : first;
        }
        return published[first] / Arrays.stream(published).min().orElseThrow();
    }

    /** Spearman's rank correlation; equal values share their mean rank. */
    double rankCorrelation() {
        double[] a = ranks(simulated);
        double[] b = ranks(published);
        double mean = (a.length - 1) / 2.0;
        double both = 0;
        double one = 0;
        double other = 0;
        for (int x = 0; x < a.length; x++) {
            both += (a[x] - mean) * (b[x] - mean);
            one += (a[x] - mean) * (a[x] - mean);
            other += (b[x] - mean) * (b[x] - mean);
        }
        return both / Math.sqrt(one * other);
    }

    private static double[] ranks(double[] values) {
        double[] ranks = new double[values.length];
        for (int x = 0; x < values.length; x++) {
            double value = values[x];
            long smaller = Arrays.stream(values).filter(v -> v < value).count();
            long equal = Arrays.stream(values).filter(v -> v == value).count();
            ranks[x] = smaller + (equal - 1) / 2.0;
        }
        return ranks;
    }
}
