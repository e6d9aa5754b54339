package io.sheaf.workflow.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The five applications of Zhang et al.: their shapes by formula, and all 125 workflows compared with the paper. */
class ZhangFamilyTest {
    private static final List<String> FAMILIES = List.of("eman", "blast", "montage-zhang", "fft", "gaussian");

    private static Workflow ofSize(String family, int size) {
        return Families.named(family).generate(new Recipe(0, 0, 1, Map.of("size", Integer.toString(size))));
    }

    private static Workflow ofTasks(String family, int tasks) {
        return Families.named(family).generate(Recipe.of(tasks, 0, 1));
    }

    private static int[] widths(Workflow w) {
        int[] widths = new int[w.levels()];
        for (int level = 0; level < widths.length; level++) {
            widths[level] = w.width(level);
        }
        return widths;
    }

    private static Map<String, Integer> categories(Workflow w) {
        Map<String, Integer> counts = new HashMap<>();
        for (int task = 0; task < w.size(); task++) {
            counts.merge(w.category(task).name(), 1, Integer::sum);
        }
        return counts;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, 40, 256, 1_000})
    void emanHasTwoParallelPhasesBetweenSingleSteps(int width) {
        Workflow w = ofTasks("eman", 2 * width + 6);
        assertThat(widths(w)).containsExactly(1, 1, 1, width, 1, width, 1, 1);
        // Two edges of the chain of three, in and out of each parallel task of two phases, one to the last step.
        assertThat(w.edges()).isEqualTo(2 + 2 * 2 * width + 1);
        assertThat(categories(w))
                .isEqualTo(Map.of(
                        "proc3d", 2,
                        "project3d", 1,
                        "proc2d", 1,
                        "classesbymra", width,
                        "collect", 1,
                        "classalign2", width,
                        "make3d", 1));
    }

    // Rounds: 2 for the sizes 1 to 3, 3 for 4 to 6, …, 10 for 25 (size 25 is 2 + 24/3).
    @ParameterizedTest
    @CsvSource({"1, 9, 2", "3, 12, 2", "4, 14, 3", "10, 40, 5", "25, 256, 10"})
    void blastIsASequenceOfRounds(int size, int width, int rounds) {
        Workflow w = ofSize("blast", size);
        assertThat(w.size()).isEqualTo(rounds * (width + 1) + 1);
        assertThat(w.levels()).isEqualTo(2 * rounds + 1);
        assertThat(w.edges()).isEqualTo(2 * rounds * width);
        for (int level = 0; level < w.levels(); level++) {
            assertThat(w.width(level)).isEqualTo(level % 2 == 0 ? 1 : width);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 9, 10, 11, 128, 256, 1_000})
    void montageHasSixLevels(int width) {
        int images = (2 * width + 2) / 3;
        Workflow w = ofTasks("montage-zhang", 2 * images + width + 3);
        assertThat(widths(w)).containsExactly(images, width, 1, 1, images, 1);
        // Each fit has two images and one concatenation, then the model; each correction an image, the model and the
        // sum.
        assertThat(w.edges()).isEqualTo(3 * width + 1 + 3 * images);
        assertThat(w.category(w.taskOfLevel(1, 0)).name()).isEqualTo("mDiffFit");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 10})
    void fftHasATreeAndButterflies(int k) {
        int m = 1 << k;
        // Read 1, calls 2m − 1, butterflies m k, scale m, write 1.
        Workflow w = ofTasks("fft", m * k + 3 * m + 1);
        assertThat(w.size()).isEqualTo(1 + (2 * m - 1) + m * k + m + 1);
        assertThat(w.levels()).isEqualTo(1 + (k + 1) + k + 1 + 1);
        assertThat(w.maxWidth()).isEqualTo(m);
        for (int depth = 0; depth <= k; depth++) {
            assertThat(w.width(1 + depth)).isEqualTo(1 << depth);
        }
        // Into each call one, into each butterfly two, into each scaling one, all m into the write.
        assertThat(w.edges()).isEqualTo((2 * m - 1) + 2 * m * k + m + m);
    }

    @Test
    void everyResultOfTheFftDependsOnEveryBlock() {
        Workflow w = ofTasks("fft", 8 * 3 + 3 * 8 + 1);
        // Bit j of a leaf's mask is set for leaf j; a butterfly's mask is the union of its parents'.
        int[] leaves = new int[w.size()];
        int next = 0;
        for (int i = 0; i < w.size(); i++) {
            int task = w.inOrder(i);
            String category = w.category(task).name();
            if (category.equals("call") && w.level(task) == 4) {
                leaves[task] = 1 << next++;
            }
            for (int p = 0; p < w.parents(task); p++) {
                leaves[task] |= category.equals("call") ? 0 : leaves[w.parent(task, p)];
            }
            if (category.equals("scale")) {
                assertThat(leaves[task]).isEqualTo(0xff);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6, 31, 56})
    void gaussianEliminationIsATriangle(int n) {
        Workflow w = ofTasks("gaussian", (n * n + n - 2) / 2);
        assertThat(w.size()).isEqualTo((n * n + n - 2) / 2);
        assertThat(w.levels()).isEqualTo(2 * (n - 1));
        for (int step = 1; step < n; step++) {
            assertThat(w.width(2 * (step - 1))).isEqualTo(1);
            assertThat(w.width(2 * step - 1)).isEqualTo(n - step);
        }
        // From the pivots n (n − 1)/2; from the updates of every step but the last n − k: n (n − 1)/2 − 1.
        assertThat(w.edges()).isEqualTo(n * n - n - 1);
    }

    @Test
    void gaussianEliminationWeighsOperations() {
        // n = 3: pivot 2, two updates of 4; pivot 1, one update of 2. In total 13; on the critical path 2 + 4 + 1 + 2 =
        // 9.
        Workflow w = Families.named("gaussian").generate(Recipe.of(5, 13 * TimeText.HOUR, 1));
        assertThat(w.timeMicros(w.find("pivot_0"))).isEqualTo(2 * TimeText.HOUR);
        assertThat(w.timeMicros(w.find("update_1"))).isEqualTo(4 * TimeText.HOUR);
        assertThat(w.timeMicros(w.find("update_2"))).isEqualTo(2 * TimeText.HOUR);
        assertThat(w.criticalPathMicros()).isEqualTo(9 * TimeText.HOUR);
    }

    @Test
    void fftWeighsButterfliesAndMoves() {
        // m = 2, in 64ths of a butterfly: read 2, call 2, two calls of 1, two butterflies of 64, two scalings of 32,
        // write 2: 200.
        Workflow w = Families.named("fft").generate(Recipe.of(9, 200 * TimeText.SECOND, 1));
        assertThat(w.timeMicros(w.find("read_0"))).isEqualTo(2 * TimeText.SECOND);
        assertThat(w.timeMicros(w.find("call_0"))).isEqualTo(2 * TimeText.SECOND);
        assertThat(w.timeMicros(w.find("call_2"))).isEqualTo(TimeText.SECOND);
        assertThat(w.timeMicros(w.find("butterfly_1"))).isEqualTo(64 * TimeText.SECOND);
        assertThat(w.timeMicros(w.find("scale_0"))).isEqualTo(32 * TimeText.SECOND);
        // 2 + 2 + 1 + 64 + 32 + 2.
        assertThat(w.criticalPathMicros()).isEqualTo(103 * TimeText.SECOND);
    }

    @Test
    void all125WorkflowsMatchThePaper() {
        List<Integer> widths = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        double allocated = 0;
        double work = 0;
        for (String family : FAMILIES) {
            for (int size = 1; size <= 25; size++) {
                Workflow w = ofSize(family, size);
                widths.add(w.maxWidth());
                sizes.add(w.size());
                // 4 h for size 1 and 6 h 50 m more for each: 4 + 24 × 6.8333 = 168 h, a week, for size 25.
                assertThat(w.totalMicros()).isEqualTo((240 + (size - 1) * 410) * TimeText.MINUTE);
                allocated += (double) w.maxWidth() * w.criticalPathMicros();
                work += w.totalMicros();
            }
        }
        assertThat(widths).allSatisfy(width -> assertThat(width).isBetween(5, 256));
        assertThat(widths).contains(5, 256);
        assertThat(sizes).allSatisfy(size -> assertThat(size).isBetween(20, 9_999));
        assertThat(sizes).anySatisfy(size -> assertThat(size).isGreaterThan(2_000));
        // Wider than 128: 10 each of EMAN, BLAST and Montage, 7 of FFT: 37 of 125 are 29.6 %, "about 30 %".
        assertThat(widths.stream().filter(width -> width > 128)).hasSize(37);
        // "Almost three times more" CPU hours for one pilot job than for single tasks, below 600 on average.
        assertThat(allocated / work).isBetween(2.7, 3.0);
        assertThat(allocated / TimeText.HOUR / 125).isLessThan(600);
    }

    @Test
    void levelsMatchThePaper() {
        assertThat(ofSize("eman", 1).levels()).isEqualTo(ofSize("eman", 25).levels());
        assertThat(ofSize("montage-zhang", 1).levels())
                .isEqualTo(ofSize("montage-zhang", 25).levels());
        assertThat(ofSize("fft", 25).levels()).isEqualTo(20);
        assertThat(ofSize("gaussian", 25).levels()).isEqualTo(110);
        assertThat(ofSize("gaussian", 25).maxWidth()).isEqualTo(55);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eman", "blast", "montage-zhang", "gaussian"})
    void theTaskCountOfASizeGivesTheSameWorkflow(String family) {
        for (int size = 1; size <= 25; size += 4) {
            Workflow w = ofSize(family, size);
            assertThat(Fingerprint.of(ofTasks(family, w.size()))).isEqualTo(Fingerprint.of(w));
        }
    }

    // EMAN has 2w + 6: 101 is between 100 and 102, and the smaller is chosen. Gaussian: n = 3 has 5, n = 4 has 9; 7 is
    // between. FFT: k = 1 has 9, k = 2 has 21. Too few tasks: the smallest workflow.
    @ParameterizedTest
    @CsvSource({
        "eman, 101, 100",
        "eman, 1, 8",
        "gaussian, 7, 5",
        "gaussian, 8, 9",
        "gaussian, 1, 2",
        "fft, 15, 9",
        "fft, 16, 21",
        "fft, 1, 9",
        "montage-zhang, 1, 13",
        "blast, 1, 5"
    })
    void theNearestPossibleTaskCountIsGenerated(String family, int requested, int made) {
        assertThat(ofTasks(family, requested).size()).isEqualTo(made);
    }

    @Test
    void tasksOfOtherSizesHaveTheMeanRunTimeOfTheNearestSize() {
        // Size 25 of EMAN: 518 tasks in 168 h; ten times as many tasks take ten times as long.
        assertThat(ofTasks("eman", 5_180).totalMicros()).isEqualTo(1_680 * TimeText.HOUR);
    }

    @Test
    void theMiddleSizeIsTheDefault() {
        Workflow w = Families.named("eman").generate(Recipe.of(0, 0, 1));
        assertThat(Fingerprint.of(w)).isEqualTo(Fingerprint.of(ofSize("eman", 13)));
        assertThat(w.name()).isEqualTo("eman-166");
    }

    @Test
    void badSizesAreRefused() {
        assertThatThrownBy(() -> ofSize("fft", 26))
                .isInstanceOf(InputException.class)
                .hasMessage("size=26 is not a whole number from 1 to 25");
        assertThatThrownBy(() -> Families.named("fft").generate(new Recipe(100, 0, 1, Map.of("size", "3"))))
                .isInstanceOf(InputException.class)
                .hasMessage("size=3 and 100 tasks were both given; give one of them, since either fixes the other");
        assertThatThrownBy(() -> Families.named("fft").generate(new Recipe(0, 0, 1, Map.of("sise", "3"))))
                .isInstanceOf(InputException.class)
                .hasMessage("family 'fft' has no parameter 'sise'. Did you mean 'size'? It has: size.");
    }
}
