package io.sheaf.workflow.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random graphs: every property within its range, and the 80 classes of Yu and Shi. */
class RandomDagTest {
    private static Workflow make(int tasks, long work, long seed, Map<String, String> parameters) {
        return Families.named("random").generate(new Recipe(tasks, work, seed, parameters));
    }

    @Test
    void thereAre80ClassesOfTheThreeProperties() {
        Set<PropertyClass> classes = new HashSet<>();
        for (int number = 1; number <= PropertyClass.COUNT; number++) {
            classes.add(PropertyClass.of(number));
        }
        assertThat(classes).hasSize(80);
        assertThat(PropertyClass.of(1)).isEqualTo(new PropertyClass("low", "low", "high", "high"));
        assertThat(PropertyClass.of(2)).isEqualTo(new PropertyClass("low", "low", "high", "low"));
        // 27 − 1 = 26 = (1 × 4 + 1) × 5 + 1: the second meshing degree, edge length and pair of weights.
        assertThat(PropertyClass.of(27)).isEqualTo(new PropertyClass("medium", "medium", "high", "low"));
        assertThat(PropertyClass.of(80)).isEqualTo(new PropertyClass("random", "random", "random", "random"));
    }

    @Test
    void theTestBenchIsGenerated() {
        Set<Integer> sizes = new HashSet<>();
        Set<String> seen = new HashSet<>();
        for (int number = 1; number <= PropertyClass.COUNT; number++) {
            for (int dag = 0; dag < 25; dag++) {
                int seed = (number - 1) * 25 + dag;
                Workflow w = make(0, 0, seed, Map.of("class", Integer.toString(number)));
                sizes.add(w.size());
                seen.add(w.size() + " " + w.edges() + " " + w.totalMicros());
            }
        }
        // 2000 draws of 75 sizes: all of them occur, since the probability to miss one is 75 × (74/75)^2000 < 10⁻⁹.
        assertThat(sizes).hasSize(75).contains(175, 249);
        assertThat(seen).hasSize(2_000);
    }

    @Test
    void aClassEqualsItsFourProperties() {
        for (int number : new int[] {1, 27, 53, 80}) {
            Workflow named = make(0, 0, 5, PropertyClass.of(number).parameters());
            Workflow numbered = make(0, 0, 5, Map.of("class", Integer.toString(number)));
            assertThat(Fingerprint.of(numbered)).isEqualTo(Fingerprint.of(named));
        }
    }

    // Of 200 tasks: 5 % are 10, 10 % are 20, 20 % are 40, 30 % are 60.
    @ParameterizedTest
    @CsvSource({
        "low, 1, 2, low, 10, 20, low, 1, 50, low, 1, 50",
        "medium, 3, 4, medium, 20, 40, high, 51, 100, low, 1, 50",
        "high, 5, 8, high, 40, 60, low, 1, 50, high, 51, 100",
        "random, 1, 8, random, 10, 60, random, 1, 100, random, 1, 100",
        "3, 3, 3, 10-20, 20, 40, 7, 7, 7, 0-1000, 0, 1000"
    })
    void everyPropertyStaysInItsRange(
            String meshing,
            int fewest,
            int max,
            String length,
            int nearest,
            int farthest,
            String node,
            int lightest,
            int heaviest,
            String edge,
            int minData,
            int maxData) {
        Workflow w = make(
                200, 0, 3, Map.of("meshing", meshing, "edge-length", length, "node-weight", node, "edge-weight", edge));
        int parentless = 0;
        for (int task = 0; task < w.size(); task++) {
            assertThat(w.timeMicros(task)).isBetween(lightest * TimeText.SECOND, heaviest * TimeText.SECOND);
            // Parents at distance 1 + nearest … 1 + farthest that exist.
            int candidates = Math.max(0, Math.min(task - nearest, farthest - nearest + 1));
            assertThat(w.parents(task)).isBetween(Math.min(fewest, candidates), Math.min(max, candidates));
            assertThat(w.inputs(task)).isEqualTo(w.parents(task));
            parentless += w.parents(task) == 0 ? 1 : 0;
            for (int i = 0; i < w.parents(task); i++) {
                assertThat(task - w.parent(task, i) - 1).isBetween(nearest, farthest);
                assertThat(w.fileName(w.input(task, i))).isEqualTo(w.id(w.parent(task, i)) + "-" + w.id(task));
                assertThat(w.fileSize(w.input(task, i))).isBetween(minData * 1_000_000L, maxData * 1_000_000L);
            }
        }
        // The tasks that have no earlier task at the minimum distance.
        assertThat(parentless).isEqualTo(nearest + 1);
        assertThat(w.files()).isEqualTo(w.edges());
    }

    @Test
    void aFixedDegreeGivesAnExactNumberOfEdges() {
        // 100 tasks, 3 parents among the 11 before: tasks 0, 1, 2 have 0, 1, 2 parents, the other 97 have 3: 3 + 291.
        Workflow w = make(100, 0, 1, Map.of("meshing", "3", "edge-length", "0-10"));
        assertThat(w.edges()).isEqualTo(294);
        // One parent, the task before: a chain.
        assertThat(make(100, 0, 1, Map.of("meshing", "1", "edge-length", "0")).levels())
                .isEqualTo(100);
    }

    @Test
    void drawsAreUniform() {
        // 20,000 tasks of 1 … 100 s: mean 50.5, standard error 28.9 / √20,000 = 0.2.
        Workflow w = make(20_000, 0, 9, Map.of());
        assertThat(w.totalMicros() / 20_000.0 / TimeText.SECOND).isBetween(49.7, 51.3);
        // 1000 to 6000 tasks between: the first 1001 tasks have no parent, the others 1 … 8: 18,999 × 4.5 = 85,500.
        assertThat(w.edges()).isBetween(84_600, 86_400);
        double lengths = 0;
        for (int task = 0; task < w.size(); task++) {
            for (int i = 0; i < w.parents(task); i++) {
                lengths += task - w.parent(task, i) - 1;
            }
        }
        // Task t ≤ 6000 draws from 1000 … t − 1, with a mean of (1000 + 3500)/2 = 2250; the 14,000 others from 1000 …
        // 6000, with a mean of 3500. (5000 × 2250 + 14,000 × 3500) / 19,000 = 3171.
        assertThat(lengths / w.edges()).isBetween(3_140.0, 3_200.0);
    }

    @Test
    void longEdgesGiveShallowGraphs() {
        // Short edges go 11 to 21 tasks on: a path has at most 1 + 199/11 = 19 tasks, and one from the last task back
        // to an entry, one of the first 11, has at least 1 + 189/21 = 10. Long edges go 41 to 61: at most 1 + 199/41 =
        // 5, at least 1 + ⌈159/61⌉ = 4.
        assertThat(make(200, 0, 1, Map.of("edge-length", "low")).levels()).isBetween(10, 19);
        assertThat(make(200, 0, 1, Map.of("edge-length", "high")).levels()).isBetween(4, 5);
    }

    @Test
    void requestedWorkScalesTheDataToo() {
        Map<String, String> fixed = Map.of("node-weight", "10", "edge-weight", "20", "meshing", "1");
        // 50 tasks of 10 s are 500 s; 1000 s are twice that, so 20 units of 1 MB become 40.
        Workflow w = make(50, 1_000 * TimeText.SECOND, 1, fixed);
        assertThat(w.totalMicros()).isEqualTo(1_000 * TimeText.SECOND);
        assertThat(w.fileSize(0)).isEqualTo(40_000_000);
    }

    @Test
    void badPropertiesAreRefused() {
        assertThatThrownBy(() -> make(10, 0, 1, Map.of("meshing", "dense")))
                .isInstanceOf(InputException.class)
                .hasMessage("meshing=dense is not a range; write low (1-2), medium (3-4), high (5-8), random (1-8), "
                        + "or a range within 1-64");
        assertThatThrownBy(() -> make(10, 0, 1, Map.of("edge-length", "30-20")))
                .isInstanceOf(InputException.class)
                .hasMessage("edge-length=30-20 is not a range; write low (5-10), medium (10-20), high (20-30), "
                        + "random (5-30), or a range within 0-100");
        assertThatThrownBy(() -> make(10, 0, 1, Map.of("class", "81")))
                .isInstanceOf(InputException.class)
                .hasMessage("class=81 is not a whole number from 0 to 80");
        assertThatThrownBy(() -> make(10, 0, 1, Map.of("class", "7", "node-weight", "low")))
                .isInstanceOf(InputException.class)
                .hasMessage("class=7 fixes node-weight; leave out one of them");
    }
}
