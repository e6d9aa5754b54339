package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the model "published" with the published data. */
class PublishedMakespansTest {
    /** Ties and chance do not matter in W8, so every transfer of the model must be exact. */
    @Test
    void theSmallestWorkflowAgreesToTheMillisecond() {
        for (PublishedData.Result result : PublishedData.ideal()) {
            boolean few = List.of("P1", "P2", "P6").contains(result.platform());
            if (result.workflow().equals("W8") && result.algorithm() >= 0 && few) {
                Scenario scenario = PublishedData.scenario("W8", result.platform(), false);
                PlatformExecution execution = PlatformSimulation.run(
                                scenario, Algorithms.of(Model.PUBLISHED).get(result.algorithm()))
                        .execution();
                String name = result.platform() + " A" + result.algorithm();
                assertThat(execution.makespan()).as(name).isCloseTo(result.makespan(), within(1e-3));
                // The study's hosts kept running for the millisecond until the last completion was reported.
                assertThat(execution.joules()).as(name).isCloseTo(result.joules(), within(2.0));
            }
        }
    }

    /** W6 has 303 tasks with thousands of requests between them. */
    @Test
    void aWideWorkflowAgreesToTenMilliseconds() {
        double[] published = PublishedData.makespans().getOrDefault("W6 P4", new double[36]);
        Scenario scenario = PublishedData.scenario("W6", "P4", false);
        for (int x : new int[] {0, 5, 8, 13, 22, 30}) {
            double makespan = PlatformSimulation.run(
                            scenario, Algorithms.of(Model.PUBLISHED).get(x))
                    .execution()
                    .makespan();
            assertThat(makespan).as("A" + x).isCloseTo(published[x], within(0.01));
        }
    }

    @Test
    @Tag("slow")
    void allScenariosAgreeWithinTheirTolerance() {
        List<Agreement> all = new ArrayList<>();
        for (Map.Entry<String, double[]> entry : PublishedData.makespans().entrySet()) {
            all.add(Agreement.of(entry.getKey(), entry.getValue()));
        }
        assertThat(error(all, 4, "W5")).isLessThan(0.001);
        assertThat(error(all, 4, "W8")).isLessThan(0.00001);
        assertThat(error(all, 4, "W5", "W7", "W8")).isLessThan(0.0036);
        // Alone it exceeds 1 % for the reason that the next test shows.
        assertThat(error(all, 4, "W7")).isLessThan(0.011);
        assertThat(error(all, 1, "W2")).isLessThan(0.03);
        assertThat(error(all, 1, "W3")).isLessThan(0.03);
        assertThat(error(all, 1, "W6")).isLessThan(0.01);
        assertThat(all.stream()
                        .filter(scenario -> scenario.workflow().equals("W4"))
                        .mapToDouble(Agreement::rankCorrelation)
                        .min()
                        .orElseThrow())
                .isGreaterThan(0.9);
        long good = all.stream()
                .filter(scenario -> scenario.costOfTheSimulatedBest() <= 1.02)
                .count();
        assertThat(good).isGreaterThanOrEqualTo(Math.round(Math.ceil(0.9 * all.size())));
    }

    /**
     * Runs of W7 that differ from the published ones equal them if files are a byte longer or shorter. The difference
     * is therefore chance and not a rule.
     */
    @Test
    @Tag("slow")
    void oneByteDecidesTheClusterOfTheLongTaskOfW7() {
        assertThat(matchesWithOtherBytes("P5", 22)).isBetween(1, 19);
        assertThat(matchesWithOtherBytes("P8", 30)).isBetween(1, 19);
    }

    /** The number of twenty draws of bytes in which the makespan is the published one. */
    private static int matchesWithOtherBytes(String platform, int algorithm) {
        double published = PublishedData.makespans().getOrDefault("W7 " + platform, new double[36])[algorithm];
        int matches = 0;
        for (int draw = 1; draw <= 20; draw++) {
            Scenario scenario = PublishedData.scenario("W7", platform, false);
            Random random = new Random(draw);
            for (int file = 0; file < scenario.bytes.length; file++) {
                scenario.bytes[file] += random.nextInt(3) - 1;
            }
            Algorithm used = Algorithms.of(Model.PUBLISHED).get(algorithm);
            double makespan = PlatformSimulation.run(scenario, used).execution().makespan();
            matches += Math.abs(makespan / published - 1) < 0.004 ? 1 : 0;
        }
        return matches;
    }

    /** The mean error over the scenarios of these workflows on this platform and those after it. */
    private static double error(List<Agreement> all, int firstPlatform, String... workflows) {
        return all.stream()
                .filter(scenario -> List.of(workflows).contains(scenario.workflow()))
                .filter(scenario -> Integer.parseInt(scenario.platform().substring(1)) >= firstPlatform)
                .mapToDouble(Agreement::meanError)
                .average()
                .orElseThrow();
    }
}
