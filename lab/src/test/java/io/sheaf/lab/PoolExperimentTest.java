package io.sheaf.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sheaf.lab.ExperimentPlan.Selection;
import io.sheaf.lab.experiment.RefusedException;
import io.sheaf.lab.report.ReportOptions;
import io.sheaf.lab.report.StrategyReport;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests experiments on many workflows at once: consistent rows and their means. */
class PoolExperimentTest {
    private static final String FILE = """
            classes: [3, 40]
            dags: [1, 4]
            arrival-interval: [0, 600]
            elements: [1, 3]
            independent-jobs: [0, 2]
            strategies: [RANK_HYBD, fifo, fair-share]
            baseline: fifo
            report: {by: dags, means: [makespanSeconds, fairness], over: [elements]}
            """;

    @TempDir
    Path folder = Path.of("");

    private Path file = Path.of("");

    @BeforeEach
    void writeExperiment() throws IOException {
        file = Files.writeString(folder.resolve("e.yaml"), FILE);
    }

    private Path run(int threads) {
        Path to = folder.resolve("out" + threads);
        new Lab(ExperimentPlan.read(file, List.of(), Selection.ALL), to, "1", "").run(threads, (done, all) -> {});
        return to;
    }

    private static List<Map<String, String>> rows(Path to) throws IOException {
        List<String> lines = Files.readAllLines(to.resolve(Lab.TABLE));
        String[] columns = lines.get(0).split(",");
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Map<String, String> row = new LinkedHashMap<>();
            String[] fields = line.split(",", -1);
            assertThat(fields).hasSize(columns.length);
            for (int i = 0; i < fields.length; i++) {
                row.put(columns[i], fields[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(row.getOrDefault(column, ""));
    }

    @Test
    void theTableDoesNotDependOnTheThreads() throws IOException {
        assertThat(Files.readString(run(1).resolve(Lab.TABLE))).isEqualTo(Files.readString(run(3).resolve(Lab.TABLE)));
    }

    @Test
    void figuresOfARowAreConsistent() throws IOException {
        List<Map<String, String>> rows = rows(run(1));
        assertThat(rows).hasSize(2 * 2 * 2 * 2 * 2 * 3);
        for (Map<String, String> row : rows) {
            assertThat(number(row, "turnaroundSeconds")).isGreaterThanOrEqualTo(number(row, "makespanSeconds"));
            assertThat(number(row, "makespanSeconds")).isGreaterThanOrEqualTo(number(row, "lowerBoundSeconds"));
            assertThat(number(row, "utilization")).isBetween(0.01, 1.0);
            assertThat(number(row, "fairness")).isBetween(1.0 / number(row, "dags") - 1e-6, 1.0);
            assertThat(number(row, "worstSlowdown")).isGreaterThanOrEqualTo(number(row, "slowdown"));
            assertThat(number(row, "throughputPerHour") * number(row, "spanSeconds") / 3600)
                    .isBetween(number(row, "dags") - 0.01, number(row, "dags") + 0.01);
            assertThat(row.getOrDefault("jobTurnaroundSeconds", "").isEmpty())
                    .isEqualTo(number(row, "independentJobs") == 0);
        }
        // A single workflow on one element transfers no data: its makespan is its work in any order.
        assertThat(rows)
                .filteredOn(row ->
                        number(row, "dags") == 1 && number(row, "elements") == 1 && number(row, "independentJobs") == 0)
                .hasSize(12)
                .allSatisfy(row -> {
                    assertThat(row.get("makespanSeconds")).isEqualTo(row.get("lowerBoundSeconds"));
                    assertThat(row).containsEntry("slowdown", "1.000000").containsEntry("fairness", "1.000000");
                });
    }

    @Test
    void reportedMeansEqualThoseOfTheRows() throws IOException {
        Path to = run(1);
        double sum = 0;
        double ofBaseline = 0;
        for (Map<String, String> row : rows(to)) {
            if (number(row, "elements") == 3) {
                sum += row.containsValue("rank-hybd") ? number(row, "makespanSeconds") : 0;
                ofBaseline += row.containsValue("fifo") ? number(row, "makespanSeconds") : 0;
            }
        }
        StrategyReport report = StrategyReport.read(to, ReportOptions.NONE);
        List<String> line = report.tables()
                .getOrDefault("means.csv", "")
                .lines()
                .filter(each -> each.startsWith("elements,3,rank-hybd,16,"))
                .map(each -> List.of(each.split(",", -1)))
                .findFirst()
                .orElseThrow();
        assertThat(Double.parseDouble(line.get(4))).isBetween(sum / 16 - 0.001, sum / 16 + 0.001);
        double improvement = 100 * (ofBaseline - sum) / ofBaseline;
        assertThat(Double.parseDouble(line.get(6))).isBetween(improvement - 0.01, improvement + 0.01);
        assertThat(line).hasSize(7);
        assertThat(report.pictures()).containsKey("means-elements.svg");
        assertThat(report.html()).contains("Means by elements");
    }

    @Test
    void aFractionSelectsSettingsOfEachClass() {
        ExperimentPlan selected = ExperimentPlan.read(file, List.of(), new Selection(false, 0.25, 1, 1));
        assertThat(selected.runs()).isEqualTo(2 * 4 * 3);
    }

    @Test
    void allProblemsAreReportedAtOnce() throws IOException {
        Files.writeString(
                file,
                FILE.replace("40]", "81]").replace("4]", "26]").replace("fair-share]", "fare-share]") + "share: 1.5\n"
                        + "speeds: [1, 0]\n");
        RefusedException refused =
                catchThrowableOfType(RefusedException.class, () -> ExperimentPlan.read(file, List.of(), Selection.ALL));
        assertThat(refused.problems().stream().map(InputException::getMessage))
                .hasSize(5)
                .anyMatch(line -> line.contains("'81' is more than 80"))
                .anyMatch(line -> line.contains("'26' is more than 25"))
                .anyMatch(line -> line.contains("unknown policy 'fare-share'") && line.contains("'fair-share'"))
                .anyMatch(line -> line.contains("'1.5' is not a share"))
                .anyMatch(line -> line.contains("'0' is not a number above 0"));
    }
}
