package io.sheaf.sim.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.swf.SwfLog;
import java.util.List;
import java.util.Locale;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PresetsTest {
    static List<String> names() {
        return Presets.all().stream().map(ClusterFigures::name).toList();
    }

    /** The figures of 200,000 generated jobs are printed and must be near those of the preset. */
    @ParameterizedTest
    @MethodSource("names")
    void generatedLogsHaveTheFiguresOfThePreset(String name) {
        ClusterFigures f = Presets.figures(name);
        long start = System.nanoTime();
        WorkloadModel model = Presets.model(name);
        long fitted = System.nanoTime();
        SwfLog log = model.generate(1, 200_000);
        Measured m = Measured.of(log, f.nodes());
        System.out.printf(
                Locale.ROOT,
                "%-14s jobs/day %7.1f width %6.2f run %6.2f h load %.3f requested %.3f (fit %d ms, jobs %d ms)%n",
                name,
                m.jobsPerDay(),
                m.meanWidth(),
                m.meanRunHours(),
                m.load(),
                m.requestedLoad(),
                (fitted - start) / 1_000_000,
                (System.nanoTime() - fitted) / 1_000_000);
        assertThat(m.jobsPerDay()).isCloseTo(f.jobsPerDay(), Percentage.withPercentage(3));
        assertThat(m.meanWidth()).isCloseTo(f.meanWidth(), Percentage.withPercentage(3));
        assertThat(m.meanRunHours()).isCloseTo(f.meanRunHours(), Percentage.withPercentage(3));
        assertThat(m.load()).isCloseTo(f.load(), Percentage.withPercentage(5));
        assertThat(m.requestedLoad()).isCloseTo(f.requestedLoad(), Percentage.withPercentage(5));
    }

    /** The deviation of one log is random: eight logs together are within one percent of the preset. */
    @Tag("slow")
    @ParameterizedTest
    @MethodSource("names")
    void eightLogsTogetherMatchThePresetWithinOnePercent(String name) {
        ClusterFigures f = Presets.figures(name);
        WorkloadModel model = Presets.model(name);
        double[] ratio = new double[5];
        for (int seed = 1; seed <= 8; seed++) {
            Measured m = Measured.of(model.generate(seed, 200_000), f.nodes());
            ratio[0] += m.jobsPerDay() / f.jobsPerDay() / 8;
            ratio[1] += m.meanWidth() / f.meanWidth() / 8;
            ratio[2] += m.meanRunHours() / f.meanRunHours() / 8;
            ratio[3] += m.load() / f.load() / 8;
            ratio[4] += m.requestedLoad() / f.requestedLoad() / 8;
        }
        for (double r : ratio) {
            assertThat(r).isBetween(0.99, 1.01);
        }
    }

    @Test
    void presetsHaveTheirNamesAndSizes() {
        assertThat(names())
                .containsExactly(
                        "kth-like",
                        "sdsc-like",
                        "lonestar-like",
                        "ada-like",
                        "lemieux-like",
                        "rtc-like",
                        "star-like",
                        "hpc2n-like",
                        "uppmax-like");
        assertThat(Presets.figures("kth-like").nodes()).isEqualTo(100);
        assertThat(Presets.figures("sdsc-like").nodes()).isEqualTo(128);
        assertThat(Presets.figures("hpc2n-like").nodes()).isEqualTo(602);
        assertThat(Presets.figures("hpc2n-like").coresPerNode()).isEqualTo(28);
        assertThat(Presets.figures("uppmax-like").nodes()).isEqualTo(486);
        assertThat(Presets.figures("uppmax-like").coresPerNode()).isEqualTo(20);
    }

    @Test
    void anUnknownPresetIsRefusedWithTheKnownNames() {
        assertThatThrownBy(() -> Presets.model("cray-like"))
                .hasMessageStartingWith("no model 'cray-like'; there are kth-like, sdsc-like,");
    }

    @Test
    void contradictoryFiguresAreRefused() {
        ClusterFigures impossible = new ClusterFigures("odd", 100, 1, 100, 0.2, 0.5, 100, 99, 2, 0.5, 1, 48, 10);
        assertThatThrownBy(() -> ModelFit.of(impossible))
                .hasMessageStartingWith("odd: no model has a mean width of 99");
    }
}
