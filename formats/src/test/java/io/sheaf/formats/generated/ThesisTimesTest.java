package io.sheaf.formats.generated;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.generate.Families;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.statistics.inference.KolmogorovSmirnovTest;
import org.apache.commons.statistics.inference.PValueMethod;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that run times of generated workflows cannot be distinguished from those of the thesis' files.
 *
 * <p>For each category, the two-sample test of Kolmogorov and Smirnov compares the files of all sizes with twenty
 * generated workflows per file. The compared value is a task's share of its workflow's work times the number of tasks.
 */
final class ThesisTimesTest {
    private static final int SEEDS = 20;
    private static final double LEVEL = 0.01;

    @ParameterizedTest
    @ValueSource(strings = {"montage", "cybershake", "genome", "sipht"})
    void runTimesOfEachCategoryHaveTheSameDistribution(String family, TestReporter reporter) {
        Map<String, List<Double>> realTimes = new TreeMap<>();
        Map<String, List<Double>> generatedTimes = new TreeMap<>();
        for (ThesisFile file : ThesisFile.of(Families.named(family))) {
            collect(file.workflow(), realTimes);
            for (int seed = 0; seed < SEEDS; seed++) {
                collect(file.generate(seed), generatedTimes);
            }
        }
        assertThat(generatedTimes.keySet()).isEqualTo(realTimes.keySet());
        realTimes.forEach((category, times) -> {
            double[] file = array(times);
            double[] generated = array(generatedTimes.getOrDefault(category, List.of()));
            double p = pValue(file, generated, 1);
            reporter.publishEntry(family + " " + category, "p = " + Math.round(1000 * p) / 1000.0);
            assertThat(p).as("p for %s", category).isGreaterThan(LEVEL);
            if (file.length > 300) {
                // The test is sharp: it would detect run times that are a quarter longer.
                assertThat(pValue(file, generated, 1.25))
                        .as("p for %s + 25 %%", category)
                        .isLessThan(LEVEL);
            }
        });
    }

    private static void collect(Workflow workflow, Map<String, List<Double>> into) {
        double mean = workflow.totalMicros() / (double) workflow.size();
        Map<String, List<Double>> own = new TreeMap<>();
        for (int task = 0; task < workflow.size(); task++) {
            own.computeIfAbsent(workflow.category(task).name(), c -> new ArrayList<>())
                    .add(workflow.timeMicros(task) / mean);
        }
        own.forEach((category, times) -> into.computeIfAbsent(category, c -> new ArrayList<>())
                .addAll(allEqual(times) ? times.subList(0, 1) : times));
    }

    /** Whether all tasks of a category have the same time, as in Blast_synteny; they count as one observation. */
    private static boolean allEqual(List<Double> times) {
        return times.stream().allMatch(time -> Math.abs(time / times.get(0) - 1) < 1e-6);
    }

    private static double pValue(double[] one, double[] other, double factor) {
        double[] longer = other.clone();
        for (int i = 0; i < longer.length; i++) {
            longer[i] *= factor;
        }
        // Exact where it matters; for hundreds of run times that would take seconds.
        PValueMethod method = one.length > 300 ? PValueMethod.ASYMPTOTIC : PValueMethod.AUTO;
        return KolmogorovSmirnovTest.withDefaults()
                .with(method)
                .test(one, longer)
                .getPValue();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
