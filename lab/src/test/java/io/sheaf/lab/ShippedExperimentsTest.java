package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.lab.Plan.Selection;
import io.sheaf.lab.report.Report;
import io.sheaf.lab.report.ReportOptions;
import io.sheaf.lab.report.StudyReport;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every experiment that is shipped runs without logs: in its quick form within seconds; in full it can at least be planned. */
class ShippedExperimentsTest {
    private static final Path FOLDER = Path.of("..", "experiments");

    @TempDir
    Path folder = Path.of("");

    static List<Path> experiments() throws IOException {
        return files(false);
    }

    static List<Path> studies() throws IOException {
        return files(true);
    }

    private static List<Path> files(boolean studies) throws IOException {
        try (Stream<Path> all = Files.list(FOLDER)) {
            return all.filter(file -> (Studies.read(file, List.of(), true) != null) == studies)
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("studies")
    void studiesRunQuicklyOnModelsAndAlwaysTheSame(Path file) {
        Assertions.assertTimeout(Duration.ofSeconds(60), () -> {
            String[] tables = new String[2];
            for (int threads = 1; threads <= 2; threads++) {
                Studies study = Objects.requireNonNull(Studies.read(file, List.of(), true));
                assertThat(study.run(folder, threads, "1", "")).isPositive();
                tables[threads - 1] = Files.readString(folder.resolve(Lab.TABLE));
            }
            assertThat(tables[0]).isEqualTo(tables[1]);
            assertThat(StudyReport.isStudy(folder)).isTrue();
            StringWriter summary = new StringWriter();
            StudyReport.read(folder).summary(summary);
            assertThat(summary.toString().lines().count()).isGreaterThan(1);
            assertThat(StudyReport.read(folder).html()).contains("<table>");
            assertThat(Studies.read(file, List.of(), false)).isNotNull();
        });
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void runsQuicklyOnModels(Path file) {
        Assertions.assertTimeout(Duration.ofSeconds(60), () -> {
            Plan plan = Plan.read(file, List.of(), new Selection(true, 1, 1, 1));
            new Lab(plan, folder, "1", "").run(2, (done, all) -> {});
            Report report = Report.read(folder, ReportOptions.NONE);
            assertThat(report.failed()).isZero();
            assertThat(report.html()).contains("beats/beaten");
        });
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void inFullItIsMuchMore(Path file) {
        long quick = Plan.read(file, List.of(), new Selection(true, 1, 1, 1)).runs();
        assertThat(Plan.read(file, List.of(), Selection.ALL).runs()).isGreaterThan(10 * quick);
    }
}
