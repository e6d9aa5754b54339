package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.lab.ExperimentPlan.Selection;
import io.sheaf.lab.experiment.ExperimentKind;
import io.sheaf.lab.report.LabReport;
import io.sheaf.lab.report.ReportOptions;
import io.sheaf.lab.report.StudyReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every shipped experiment runs without logs in its quick form within seconds and can be planned in full.
 */
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
            return all.filter(file -> isStudy(file) == studies).sorted().toList();
        }
    }

    private static boolean isStudy(Path file) {
        return ExperimentPlan.read(file, List.of(), new Selection(true, 1, 1, 1))
                .experiment()
                .manifestEntries()
                .containsKey(ExperimentKind.STUDY);
    }

    /** Runs each study with one thread and, in two shards, with two threads. */
    @ParameterizedTest
    @MethodSource("studies")
    void quickStudiesRunOnModelsAndAreReproducible(Path file) {
        Assertions.assertTimeout(Duration.ofSeconds(60), () -> {
            new Lab(ExperimentPlan.read(file, List.of(), new Selection(true, 1, 1, 1)), folder, "1", "")
                    .run(1, (done, all) -> {});
            List<Path> shards = new ArrayList<>();
            for (int shard = 1; shard <= 2; shard++) {
                shards.add(folder.resolve("shard" + shard));
                ExperimentPlan plan = ExperimentPlan.read(file, List.of(), new Selection(true, 1, shard, 2));
                new Lab(plan, shards.get(shard - 1), "1", "").run(2, (done, all) -> {});
            }
            Path merged = folder.resolve("merged");
            ShardMerge.into(merged, shards);
            assertThat(merged.resolve(Lab.TABLE)).hasSameTextualContentAs(folder.resolve(Lab.TABLE));
            assertThat(Manifest.read(merged).get("runs"))
                    .isEqualTo(Manifest.read(folder).get("runs"));
            LabReport report = LabReport.read(merged, ReportOptions.NONE);
            assertThat(report).isInstanceOf(StudyReport.class);
            assertThat(report.tables().getOrDefault("summary.csv", "").lines().count())
                    .isGreaterThan(1);
            assertThat(report.html()).contains("<table>");
            assertThat(report.pictures().keySet())
                    .hasSize(String.valueOf(file.getFileName()).equals("prediction.yaml") ? 1 : 0);
            assertThat(ExperimentPlan.read(file, List.of(), Selection.ALL).runs())
                    .isGreaterThan(1);
        });
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void quickExperimentsRunOnModels(Path file) {
        Assertions.assertTimeout(Duration.ofSeconds(60), () -> {
            ExperimentPlan plan = ExperimentPlan.read(file, List.of(), new Selection(true, 1, 1, 1));
            new Lab(plan, folder, "1", "").run(2, (done, all) -> {});
            LabReport report = LabReport.read(folder, ReportOptions.NONE);
            assertThat(report.failed()).isZero();
            assertThat(report.html()).contains("beats/beaten");
        });
    }

    @ParameterizedTest
    @MethodSource("experiments")
    void aFullExperimentHasManyMoreRuns(Path file) {
        long quick = ExperimentPlan.read(file, List.of(), new Selection(true, 1, 1, 1))
                .runs();
        assertThat(ExperimentPlan.read(file, List.of(), Selection.ALL).runs()).isGreaterThan(10 * quick);
    }
}
