package io.sheaf.workflow.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ThesisFamiliesTest {
    private static final long HOUR = 3_600_000_000L;

    /** Shapes counted by hand from the families' formulas. */
    @ParameterizedTest
    @CsvSource({
        // p = 8 images, d = 50 − 16 − 6 = 28 differences
        "montage, 50, '8 28 1 1 8 1 1 1 1'",
        "montage, 250, '41 162 1 1 41 1 1 1 1'",
        "montage, 500, '82 330 1 1 82 1 1 1 1'",
        "montage, 5000, '820 3354 1 1 820 1 1 1 1'",
        "montage, 100000, '16400 67194 1 1 16400 1 1 1 1'",
        // s = (50 − 2 − 2) / 2 = 23
        "cybershake, 50, '2 23 24 1'",
        "cybershake, 250, '2 123 124 1'",
        "cybershake, 500, '2 248 249 1'",
        "cybershake, 5000, '2 2498 2499 1'",
        "cybershake, 100000, '2 49998 49999 1'",
        // l (4k + 2) + 3: 2 × 22 + 3 = 47, 3 × 82 + 3 = 249, 19 × 26 + 3 = 497, 192 × 26 + 3 = 4995
        "genome, 50, '2 10 10 10 10 2 1 1 1'",
        "genome, 250, '3 60 60 60 60 3 1 1 1'",
        "genome, 500, '19 114 114 114 114 19 1 1 1'",
        "genome, 5000, '192 1152 1152 1152 1152 192 1 1 1'",
        "genome, 100000, '3846 23076 23076 23076 23076 3846 1 1 1'",
        // o organisms of 12 tasks: 4 in level 0, 2, 4, 1, 1; Patsers fill level 0
        "sipht, 48, '32 4 8 2 2'",
        "sipht, 242, '178 16 32 8 8'",
        "sipht, 484, '356 32 64 16 16'",
        "sipht, 5000, '3664 334 668 167 167'",
        "sipht, 100000, '73336 6666 13332 3333 3333'",
    })
    void levelWidthsFollowTheFormulas(String family, int tasks, String widths) {
        Workflow workflow = generate(family, tasks, 100 * HOUR, 1);
        assertThat(widths(workflow)).isEqualTo(widths);
        assertThat(workflow.totalMicros()).isEqualTo(100 * HOUR);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"montage, 9", "cybershake, 4", "genome, 9", "sipht, 5"})
    void generatesAMillionTasks(String family, int levels) {
        Workflow workflow = generate(family, 1_000_000, 1_000_000 * HOUR, 1);
        assertThat(workflow.size()).isBetween(999_987, 1_000_013);
        assertThat(workflow.levels()).isEqualTo(levels);
        assertThat(workflow.totalMicros()).isEqualTo(1_000_000 * HOUR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"montage", "cybershake", "genome", "sipht"})
    void generatesTheNearestPossibleSize(String family) {
        int levels = generate(family, 50, HOUR, 1).levels();
        for (int tasks = 1; tasks <= 600; tasks += tasks < 100 ? 1 : 7) {
            Workflow workflow = generate(family, tasks, HOUR, tasks);
            assertThat(workflow.levels()).as("levels of %s", workflow.name()).isEqualTo(levels);
            assertThat(workflow.totalMicros()).isEqualTo(HOUR);
            if (tasks >= 14) {
                // Beyond 375 tasks Genome has lanes of 26 tasks each, so that it may miss by half of that.
                int max = tasks > 375 && family.equals("genome") ? 13 : 6;
                assertThat(workflow.size()).isBetween(tasks - max, tasks + max);
            }
        }
    }

    /** A reader that derives edges from files finds the same edges, and no two tasks write the same file. */
    @ParameterizedTest
    @CsvSource({"montage, 50", "montage, 9", "cybershake, 250", "genome, 500", "sipht, 13", "sipht, 242"})
    void filesImplyTheSameEdges(String family, int tasks) {
        Workflow workflow = generate(family, tasks, HOUR, 7);
        int[] writer = new int[workflow.files()];
        Arrays.fill(writer, -1);
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.outputs(task); i++) {
                int file = workflow.output(task, i);
                assertThat(writer[file]).as(workflow.fileName(file)).isEqualTo(-1);
                writer[file] = task;
            }
        }
        Set<List<Integer>> distinct = new HashSet<>();
        Set<List<Integer>> implied = new HashSet<>();
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.parents(task); i++) {
                distinct.add(List.of(workflow.parent(task, i), task));
            }
            for (int i = 0; i < workflow.inputs(task); i++) {
                if (writer[workflow.input(task, i)] >= 0) {
                    implied.add(List.of(writer[workflow.input(task, i)], task));
                }
            }
        }
        assertThat(distinct).isEqualTo(implied);
        for (int file = 0; file < workflow.files(); file++) {
            assertThat(workflow.fileSize(file)).as(workflow.fileName(file)).isNotNegative();
        }
    }

    /** The fingerprints are the same on every JDK and machine. */
    @ParameterizedTest
    @CsvSource({
        "montage, 0153df6c6ff817b4",
        "cybershake, c78414a623e5fe8c",
        "genome, 0298f6a06f6ebf0a",
        "sipht, 5bf58e52131f136c"
    })
    void theSameSeedGivesTheSameWorkflow(String family, String fingerprint) {
        assertThat(Fingerprint.of(generate(family, 500, 500 * HOUR, 42))).isEqualTo(fingerprint);
        assertThat(Fingerprint.of(generate(family, 500, 500 * HOUR, 43))).isNotEqualTo(fingerprint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"montage", "cybershake", "genome", "sipht"})
    void theDefaultWorkIsTwelveMinutesPerTask(String family) {
        Workflow workflow = Families.named(family).generate(Recipe.of(0, 0, 1));
        assertThat(workflow.size()).isBetween(47, 50);
        assertThat(workflow.totalMicros()).isEqualTo(workflow.size() * (HOUR / 5));
    }

    @Test
    void montageComparesEveryPairAtMostOnce() {
        long[] all = Montage.choose(9, 9, new RandomStream(1));
        assertThat(all).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
        long[] chosen = Montage.choose(1L << 40, 1000, new RandomStream(1));
        assertThat(Arrays.stream(chosen).distinct().count()).isEqualTo(1000);
    }

    @Test
    void cyberShakeSolvesForItsFactor() {
        // 3 · 2 + 5 · 2² = 26
        assertThat(CyberShake.factor(3, 5, 26)).isCloseTo(2, exact());
        assertThat(CyberShake.factor(3, 0, 6)).isCloseTo(2, exact());
    }

    @Test
    void parametersSetTheShape() {
        Workflow shake = generate("cybershake", 500, HOUR, Map.of("extracts", "4"));
        assertThat(widths(shake)).isEqualTo("4 247 248 1");
        Workflow genome = generate("genome", 500, HOUR, Map.of("lanes", "3", "reference", "2G"));
        assertThat(widths(genome)).isEqualTo("3 123 123 123 123 3 1 1 1");
        assertThat(genome.fileSize(0)).isEqualTo(2L << 30);
        Workflow sipht = generate("sipht", 100, HOUR, Map.of("organisms", "1"));
        assertThat(widths(sipht)).isEqualTo("92 2 4 1 1");
    }

    @Test
    void siphtDividesAllPatsers() {
        int[] parts = Sipht.divide(146, 8, new RandomStream(5));
        assertThat(Arrays.stream(parts).sum()).isEqualTo(146);
        for (int part : parts) {
            assertThat(part).isBetween(9, 28);
        }
        assertThat(Sipht.divide(3, 3, new RandomStream(5))).containsExactly(1, 1, 1);
    }

    @Test
    void refusesInvalidParameters() {
        assertThatThrownBy(() -> Families.named("montag"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("Did you mean 'montage'?");
        assertThatThrownBy(() -> generate("genome", 50, HOUR, Map.of("lane", "2")))
                .hasMessageContaining("Did you mean 'lanes'?");
        assertThatThrownBy(() -> generate("genome", 50, HOUR, Map.of("reference", "0")))
                .hasMessageContaining("at least one byte");
        assertThatThrownBy(() -> generate("sipht", 50, HOUR, Map.of("organisms", "none")))
                .hasMessageContaining("organisms=none is not a whole number");
    }

    private static Offset<Double> exact() {
        return Offset.offset(1e-12);
    }

    private static Workflow generate(String family, int tasks, long workMicros, long seed) {
        return Families.named(family).generate(Recipe.of(tasks, workMicros, seed));
    }

    private static Workflow generate(String family, int tasks, long workMicros, Map<String, String> parameters) {
        return Families.named(family).generate(new Recipe(tasks, workMicros, 1, parameters));
    }

    private static String widths(Workflow workflow) {
        StringBuilder text = new StringBuilder();
        for (int level = 0; level < workflow.levels(); level++) {
            text.append(level == 0 ? "" : " ").append(workflow.width(level));
        }
        return text.toString();
    }
}
