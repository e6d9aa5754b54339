package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.platform.CandidateCache.Point;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that shared simulations have the same results as separate ones. */
class CandidateCacheTest {
    private static final double BETA = 0.6;

    /**
     * Simulates every algorithm separately, from the start and from the middle of a run, and compares the result with
     * that of the portfolio.
     */
    @ParameterizedTest
    @CsvSource({"P1, paper", "P4, paper", "P1, published", "P4, published"})
    void sharedSimulationsEqualSeparateOnes(String platform, String model) {
        Scenario scenario = new Scenario(Small.layers(4, 40, 3), Platforms.of(platform), Model.of(model));
        List<Algorithm> all = Algorithms.of(scenario.model());
        CandidateCache cache = new CandidateCache(scenario, all);
        int[] numbers = IntStream.range(0, all.size()).toArray();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            PlatformSimulation run = new PlatformSimulation(scenario, all.get(0));
            List<Integer> chosen = List.of();
            for (int next : new int[] {22, 8}) {
                for (double beta : new double[] {1, BETA}) {
                    Point point = Point.of(PortfolioSettings.PUBLISHED.withBeta(beta), chosen);
                    double[] values = cache.values(run, point, numbers, thread, 1);
                    for (int number : numbers) {
                        PlatformSimulation alone = run.fork();
                        alone.use(all.get(number));
                        alone.run(StopRule.afterWork(point.horizon()));
                        assertThat(values[number]).as("A" + number).isEqualTo(alone.now());
                    }
                    assertThat(cache.values(run, point, numbers, thread, 1)).isEqualTo(values);
                }
                run.use(all.get(next));
                run.run(StopRule.afterWork(0.4));
                chosen = List.of(next);
            }
        } finally {
            thread.shutdownNow();
        }
    }

    /**
     * With a single cluster, the criterion that chooses a cluster cannot matter in the paper's model. In the published
     * model, its requests do.
     */
    @ParameterizedTest
    @CsvSource({"paper, true", "published, false"})
    void equivalentAlgorithmsAreDetected(String model, boolean dataIsFree) {
        Scenario scenario = new Scenario(Small.layers(4, 40, 3), Platforms.of("P1"), Model.of(model));
        List<Algorithm> all = Algorithms.of(scenario.model());
        PlatformSimulation run = new PlatformSimulation(scenario, all.get(8));
        run.equivalent.watch(run, all);
        run.run(StopRule.NEVER);
        assertThat(run.equivalent.has(all.get(8), all.get(8)))
                .as("the same algorithm")
                .isTrue();
        assertThat(run.equivalent.has(all.get(5), all.get(8)))
                .as("most idle cores")
                .isTrue();
        assertThat(run.equivalent.has(all.get(2), all.get(8))).as("local data").isEqualTo(dataIsFree);
        assertThat(run.equivalent.has(all.get(6), all.get(8))).as("fewer cores").isFalse();
        assertThat(run.equivalent.has(all.get(35), all.get(8)))
                .as("another task first")
                .isFalse();
    }
}
