package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.platform.CandidateCache.Point;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That simulations are shared changes nothing but how many there are. */
class CandidateCacheTest {
    private static final double BETA = 0.6;

    /** Every algorithm is simulated on its own, from the start and from the middle of a run, and compared with the portfolio's simulation. */
    @ParameterizedTest
    @CsvSource({"P1, paper", "P4, paper", "P1, published", "P4, published"})
    void whatIsForeseenIsWhatComes(String platform, String model) {
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

    /** With one cluster there is nothing to choose between, so what it is chosen by cannot matter; in the data, how it is requested does. */
    @ParameterizedTest
    @CsvSource({"paper, true", "published, false"})
    void algorithmsThatDecideAlikeAreFound(String model, boolean dataIsFree) {
        Scenario scenario = new Scenario(Small.layers(4, 40, 3), Platforms.of("P1"), Model.of(model));
        List<Algorithm> all = Algorithms.of(scenario.model());
        PlatformSimulation run = new PlatformSimulation(scenario, all.get(8));
        run.equivalent.watch(run, all);
        run.run(StopRule.NEVER);
        assertThat(run.equivalent.has(all.get(8), all.get(8))).as("itself").isTrue();
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
