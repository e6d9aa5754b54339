package io.sheaf.workflow.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.text.TimeText;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The three workflows of Souza et al. against their Table 1. */
class SouzaFamilyTest {
    private static Workflow make(String family, int cores) {
        return Families.named(family).generate(new Recipe(0, 0, 1, Map.of("cores", Integer.toString(cores))));
    }

    private static Scaling scaling(Workflow w, int task) {
        return Objects.requireNonNull(w.scaling(task));
    }

    private static int cores(Workflow w, int task) {
        Resources resources = w.resources(task);
        return resources.cores() * resources.nodes();
    }

    private static String shape(Workflow w) {
        List<String> stages = new ArrayList<>();
        for (int task = 0; task < w.size(); task++) {
            stages.add(cores(w, task) > 1 ? "P" : "S");
            assertThat(w.level(task)).isEqualTo(task);
        }
        return String.join("", stages);
    }

    @Test
    void stagesAreParallelAndSequentialAsDescribed() {
        // Montage: "first two, and fifth" parallel, "third and fourth, and last three" sequential; the sixth is
        // mImgtbl.
        assertThat(shape(make("montage-asa", 112))).isEqualTo("PPSSPSSSS");
        assertThat(shape(make("blast-asa", 112))).isEqualTo("PS");
        assertThat(shape(make("statistics", 112))).isEqualTo("SPSP");
    }

    // Per-Stage of Table 1: cores, waiting time, makespan. The run times of the stages sum to makespan − waiting time.
    @ParameterizedTest
    @CsvSource({
        "montage-asa, 28, 258, 1408",
        "montage-asa, 56, 426, 1496",
        "montage-asa, 112, 699, 1779",
        "montage-asa, 160, 2220, 3507",
        "montage-asa, 320, 15582, 17170",
        "montage-asa, 640, 16600, 18200",
        "blast-asa, 28, 68, 2727",
        "blast-asa, 56, 153, 1508",
        "blast-asa, 112, 194, 965",
        "blast-asa, 160, 7125, 7880",
        "blast-asa, 320, 8240, 8611",
        "blast-asa, 640, 10150, 10429",
        "statistics, 28, 48, 5487",
        "statistics, 56, 263, 4644",
        "statistics, 112, 191, 4193",
        "statistics, 160, 4960, 9241",
        "statistics, 320, 18008, 21993",
        "statistics, 640, 21014, 24817"
    })
    void executionTimesAreThoseOfTable1(String family, int cores, long wait, long makespan) {
        assertThat(make(family, cores).totalMicros()).isEqualTo((makespan - wait) * TimeText.SECOND);
    }

    // Core hours of Per-Stage in Table 1, whole hours, some rounded and some cut off.
    @ParameterizedTest
    @CsvSource({
        "montage-asa, 28, 7",
        "montage-asa, 56, 12",
        "montage-asa, 112, 20",
        "montage-asa, 160, 40",
        "montage-asa, 320, 106",
        "montage-asa, 640, 171",
        "blast-asa, 28, 20",
        "blast-asa, 56, 21",
        "blast-asa, 112, 24",
        "blast-asa, 160, 33",
        "blast-asa, 320, 33",
        "blast-asa, 640, 47",
        "statistics, 56, 34",
        "statistics, 112, 62",
        "statistics, 160, 95",
        "statistics, 320, 177",
        "statistics, 640, 338"
    })
    void coreHoursAreThoseOfTable1WithinOne(String family, int cores, int hours) {
        assertThat(coreHours(make(family, cores))).isBetween(hours - 1.0, hours + 1.0);
    }

    @Test
    void statisticsOn28CoresDepartsFromTable1() {
        // The table has 42: (3204 s × 28 + 2235 s) / 3600 = 25.5 h where sequential stages use one core.
        assertThat(coreHours(make("statistics", 28))).isBetween(25.5, 25.6);
    }

    private static double coreHours(Workflow w) {
        double micros = 0;
        for (int task = 0; task < w.size(); task++) {
            micros += (double) w.timeMicros(task) * cores(w, task);
        }
        return micros / TimeText.HOUR;
    }

    @Test
    void parallelStagesScaleToTheCoreCountsOfTheirMachine() {
        Workflow small = make("blast-asa", 56);
        assertThat(scaling(small, 0))
                .isEqualTo(new Scaling(Map.of(28, 2_649_000_000L, 56, 1_345_000_000L, 112, 761_000_000L)));
        assertThat(scaling(small, 1)).isEqualTo(new Scaling(Map.of(1, 10_000_000L)));
        assertThat(small.resources(0)).isEqualTo(new Resources(28, 0, 0, 2));
        assertThat(small.resources(1)).isEqualTo(Resources.ONE_CORE);
        Workflow large = make("blast-asa", 640);
        assertThat(scaling(large, 0))
                .isEqualTo(new Scaling(Map.of(160, 745_000_000L, 320, 361_000_000L, 640, 269_000_000L)));
        assertThat(large.resources(0)).isEqualTo(new Resources(20, 0, 0, 32));
    }

    @Test
    void runTimesAreThoseOnTheCoresOfTheStage() {
        for (String family : List.of("montage-asa", "blast-asa", "statistics")) {
            for (int cores : new int[] {28, 56, 112, 160, 320, 640}) {
                Workflow w = make(family, cores);
                for (int task = 0; task < w.size(); task++) {
                    assertThat(scaling(w, task).on(cores(w, task))).isEqualTo(w.timeMicros(task));
                }
            }
        }
    }

    @Test
    void requestedWorkScalesAllCoreCounts() {
        // 112 cores: 761 s + 10 s; twice that. The search on 28 cores then takes 2 × 2649 s.
        Workflow w = Families.named("blast-asa").generate(Recipe.of(0, 1_542 * TimeText.SECOND, 1));
        assertThat(w.totalMicros()).isEqualTo(1_542 * TimeText.SECOND);
        assertThat(scaling(w, 0).on(112)).isEqualTo(1_522 * TimeText.SECOND);
        assertThat(scaling(w, 0).on(28)).isEqualTo(5_298 * TimeText.SECOND);
    }

    @Test
    void theNumberOfStagesIsFixed() {
        assertThat(Families.named("montage-asa")
                        .generate(Recipe.of(1_000, 0, 1))
                        .size())
                .isEqualTo(9);
    }

    @Test
    void coreCountsThatWereNotMeasuredAreRefused() {
        assertThatThrownBy(() -> make("statistics", 100))
                .isInstanceOf(InputException.class)
                .hasMessage("cores=100 was not measured for statistics; take one of 28, 56, 112, 160, 320, 640");
    }
}
