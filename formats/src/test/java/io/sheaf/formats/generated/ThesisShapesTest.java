package io.sheaf.formats.generated;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that generated workflows have the shape of the thesis' files. */
final class ThesisShapesTest {
    private static final int SEEDS = 40;

    static Stream<ThesisFile> files() {
        return ThesisFile.all().stream();
    }

    @ParameterizedTest
    @MethodSource("files")
    void generatedWorkflowsHaveTheSameLevelsAndCategories(ThesisFile file) {
        Workflow real = file.workflow();
        for (int seed = 1; seed <= 3; seed++) {
            Workflow generated = file.generate(seed);
            assertThat(generated.levels()).isEqualTo(real.levels());
            for (int level = 0; level < real.levels(); level++) {
                assertThat(generated.width(level))
                        .as("width of level %d", level)
                        .isEqualTo(real.width(level));
            }
            assertThat(kinds(generated)).isEqualTo(kinds(real));
            assertThat(count(generated, false)).isEqualTo(count(real, false));
            assertThat(count(generated, true)).isEqualTo(count(real, true));
            assertThat((double) generated.edges()).isBetween(0.95 * real.edges(), 1.05 * real.edges());
            assertThat(generated.totalMicros() / (double) real.totalMicros()).isBetween(0.965, 1.035);
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void generatedWorkflowsReadAndWriteSimilarAmounts(ThesisFile file) {
        double generated = 0;
        for (int seed = 0; seed < 10; seed++) {
            generated += traffic(file.generate(seed)) / 10;
        }
        // In CyberShake, all syntheses read two files of random size, which dominate the sum.
        double max = file.family().name().equals("cybershake") ? 1.5 : 1.1;
        assertThat(generated / traffic(file.workflow())).isBetween(1 / max, max);
    }

    /** The bytes that all tasks read and write. */
    private static double traffic(Workflow workflow) {
        double bytes = 0;
        for (int task = 0; task < workflow.size(); task++) {
            for (int i = 0; i < workflow.inputs(task); i++) {
                bytes += workflow.fileSize(workflow.input(task, i));
            }
            for (int i = 0; i < workflow.outputs(task); i++) {
                bytes += workflow.fileSize(workflow.output(task, i));
            }
        }
        return bytes;
    }

    /** The file's critical path is within the range of those of generated workflows, with a tolerance of 5 %. */
    @ParameterizedTest
    @MethodSource("files")
    void generatedWorkflowsHaveASimilarCriticalPath(ThesisFile file, TestReporter reporter) {
        double real = relativePath(file.workflow());
        double[] generated = new double[SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            generated[seed] = relativePath(file.generate(seed));
        }
        Arrays.sort(generated);
        reporter.publishEntry(
                file.name(),
                Math.round(1000 * real) / 1000.0 + " of the work; generated " + Math.round(1000 * generated[0]) / 1000.0
                        + " to " + Math.round(1000 * generated[SEEDS - 1]) / 1000.0);
        assertThat(real).isBetween(0.95 * generated[0], 1.05 * generated[SEEDS - 1]);
        assertThat(real / generated[SEEDS / 2]).isBetween(0.7, 1.4);
    }

    private static double relativePath(Workflow workflow) {
        return workflow.criticalPathMicros() / (double) workflow.totalMicros();
    }

    /** The categories of tasks with their levels and with the categories of their parents. */
    private static Set<String> kinds(Workflow workflow) {
        Set<String> kinds = new TreeSet<>();
        for (int task = 0; task < workflow.size(); task++) {
            Set<String> parents = new TreeSet<>();
            for (int i = 0; i < workflow.parents(task); i++) {
                parents.add(workflow.category(workflow.parent(task, i)).name());
            }
            kinds.add(workflow.category(task).name() + " at level " + workflow.level(task) + " after " + parents);
        }
        return kinds;
    }

    private static int count(Workflow workflow, boolean sinks) {
        int count = 0;
        for (int task = 0; task < workflow.size(); task++) {
            count += (sinks ? workflow.children(task) : workflow.parents(task)) == 0 ? 1 : 0;
        }
        return count;
    }
}
