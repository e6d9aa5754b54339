package io.sheaf.workflow.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Workflow;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of all workflows of the applications, the random graphs and the simple shapes. */
class GeneratedWorkflowsTest {
    static Stream<String> families() {
        return Stream.of(
                "eman",
                "blast",
                "montage-zhang",
                "fft",
                "gaussian",
                "montage-asa",
                "blast-asa",
                "statistics",
                "random",
                "chain",
                "forkjoin",
                "bag");
    }

    // The hashes are the same on every JDK and machine. A changed hash breaks the workflows of users who rely on a
    // seed.
    @ParameterizedTest
    @CsvSource({
        "eman, 35df0cd5559857ea",
        "blast, 95075e257fbe5ffb",
        "montage-zhang, b0f32e8d94193810",
        "fft, ece1b4900c64993a",
        "gaussian, ca01cb6092f3cb6f",
        "montage-asa, ca6043fd1457d21b",
        "blast-asa, d62e1ba838b6de56",
        "statistics, 31641adedf9929a3",
        "random, 457683fbc8746979",
        "chain, c416aa898b2dc7a6",
        "forkjoin, 4eba1da1a25efd1c",
        "bag, 747ff68ff18297fd"
    })
    void aSeedDeterminesTheWorkflow(String family, String hash) {
        boolean spreads = Families.named(family).parameters().stream()
                .anyMatch(parameter -> parameter.name().equals("spread"));
        Map<String, String> parameters = spreads ? Map.of("spread", "0.7") : Map.of();
        Workflow w = Families.named(family).generate(new Recipe(200, 0, 42, parameters));
        assertThat(Fingerprint.of(w)).isEqualTo(hash);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eman", "blast", "montage-zhang", "random"})
    void anotherSeedGivesAnotherWorkflow(String family) {
        Workflow one = Families.named(family).generate(Recipe.of(100, 0, 1));
        Workflow other = Families.named(family).generate(Recipe.of(100, 0, 2));
        assertThat(Fingerprint.of(other)).isNotEqualTo(Fingerprint.of(one));
    }

    @ParameterizedTest
    @MethodSource("families")
    void theRequestedWorkIsMetToTheMicrosecond(String family) {
        for (long work : new long[] {1, 999, 1_800_000_000_001L, 3_600_000_000L * 10_000}) {
            Workflow w = Families.named(family).generate(Recipe.of(150, work, 7));
            assertThat(w.totalMicros()).isEqualTo(work);
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void everyTaskHasARunTime(String family) {
        Workflow w = Families.named(family).generate(Recipe.of(150, 0, 7));
        for (int task = 0; task < w.size(); task++) {
            assertThat(w.timeMicros(task)).isPositive();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "eman, 1000000",
        // 10 rounds: 10 (w + 1) + 1 is nearest at w = 99,999.
        "blast, 1000001",
        // 2p + w + 3 with p = (2w + 2)/3: w = 428,570 and p = 285,714 give 1,000,001; w = 428,569 and 285,713 give
        // 999,998.
        "montage-zhang, 1000001",
        // k = 16: 65,536 × 19 + 1; k = 15 is farther away at 589,825.
        "fft, 1245185",
        // n = 1413 gives (1,996,569 + 1413 − 2)/2 = 998,990; n = 1414 gives 1,000,404.
        "gaussian, 1000404",
        "random, 1000000",
        "chain, 1000000",
        "forkjoin, 1000000",
        "bag, 1000000"
    })
    @Tag("slow")
    void aMillionTasksAreGenerated(String family, int tasks) {
        Workflow w = Families.named(family).generate(Recipe.of(1_000_000, 3_600_000_000L * 500_000, 1));
        assertThat(w.size()).isEqualTo(tasks);
        assertThat(w.totalMicros()).isEqualTo(3_600_000_000L * 500_000);
    }
}
