package io.sheaf.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests reports of a table whose figures can be computed by hand: two clusters, a workflow from a file and a generated
 * one, two starts and two strategies.
 */
class ReportTest {
    private static final String HEAD =
            "run,cluster,load,nodes,policy,order,placement,cancelled,scale_load,from_seconds,"
                    + "profile,estimates,cores_per_node,task_times,cap,seed,workflow,group,source,tasks,levels,width,"
                    + "work_seconds,strategy,start_seconds,completed,makespan_seconds,lower_bound_seconds,wait_seconds,"
                    + "perceived_wait_seconds,held_node_seconds,used_node_seconds,jobs,expired,reruns,foreseen_jobs,"
                    + "foreseen_wait_seconds,foreseen_actual_seconds,start_error_seconds,on_time_jobs,failure\n";

    @TempDir
    Path folder = Path.of("");

    /**
     * On A, the second strategy takes 90 and 110 s and the baseline 100 and 100 s. On B, the second strategy fails once
     * and takes 50 s instead of 100 s.
     */
    @BeforeEach
    void writeTable() throws IOException {
        Files.writeString(
                folder.resolve("manifest.json"), "{\"title\":\"T <1>\",\"baseline\":\"z\",\"version\":\"1\"}");
        StringBuilder text = new StringBuilder(HEAD);
        int run = 1;
        for (String cluster : List.of("A", "B")) {
            for (String workflow : List.of("w,file", "v,generated")) {
                for (int start = 0; start < 2; start++) {
                    for (String strategy : List.of("z", "\"g:a=1,b=2\"")) {
                        boolean z = strategy.equals("z");
                        boolean failed = !z && cluster.equals("B") && start == 0;
                        double makespan = z ? 100 : cluster.equals("B") ? 50 : start == 0 ? 90 : 110;
                        String[] name = workflow.split(",");
                        text.append(
                                run++ + "," + cluster + ",l,10,easy,fcfs,count,drop,1,0.000,own,requested,1,exact,16,0,"
                                        + name[0] + ",," + name[1] + ",3,2,2,60.000," + strategy + "," + start + ".000,"
                                        + (failed ? 0 : 1) + "," + makespan + ",50.000,5.000,20.000,3600.000,60.000,"
                                        + (z ? 1 : 3) + ",0,0," + (z ? "1,10,20,10,0," : ",,,,,")
                                        + (failed ? "the <lamp> went out" : "") + "\n");
                    }
                }
            }
        }
        Files.writeString(folder.resolve("runs.csv"), text);
    }

    private List<String> summary(ReportOptions options) {
        return StrategyReport.read(folder, options)
                .tables()
                .getOrDefault("summary.csv", "")
                .lines()
                .toList();
    }

    private List<String> summary(String... by) {
        return summary(new ReportOptions(List.of(by), "", "", "", ""));
    }

    /** The values of the row with this prefix, by the names of the columns. */
    private static Map<String, String> row(List<String> rows, String prefix) {
        String[] names = rows.get(0).split(",");
        String found =
                rows.stream().filter(row -> row.startsWith(prefix)).findFirst().orElseThrow();
        String[] values = found.replace("\"g:a=1,b=2\"", "g").split(",", -1);
        assertThat(values).hasSameSizeAs(names);
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < names.length; i++) {
            row.put(names[i], values[i]);
        }
        return row;
    }

    /** Improvements of 10 and −10 % on A; on B 50 % in the one run that completed, and a loss for the one that did not. */
    @Test
    void figuresEqualHandComputedValues() throws IOException {
        List<String> rows = summary();
        assertThat(rows).hasSize(1 + 2 * (2 + 4));
        assertThat(row(rows, "A,,\"g:a=1,b=2\","))
                .containsEntry("runs", "4")
                .containsEntry("makespan_seconds", "100.0000")
                .containsEntry("improvement_percent", "0.0000")
                .containsEntry("improvement_low", "-10.0000")
                .containsEntry("improvement_high", "10.0000")
                .containsEntry("p", "1.0000")
                .containsEntry("wins", "2")
                .containsEntry("losses", "2")
                .containsEntry("gain_of_wins_percent", "10.0000")
                .containsEntry("from_best_percent", "5.0000")
                .containsEntry("near_best", "2")
                .containsEntry("wait_seconds", "20.0000")
                .containsEntry("relative_wait", "0.2540")
                .containsEntry("one_job_share", "0.0000")
                .containsEntry("individual_share", "1.0000")
                .containsEntry("fallback_share", "1.0000")
                .containsEntry("beats", "0")
                .containsEntry("beats_perhaps", "2")
                .containsEntry("beaten_surely", "0")
                .containsEntry("foreseen_jobs", "0.0000");
        assertThat(row(rows, "B,w,\"g:a=1,b=2\","))
                .containsEntry("failed", "1")
                .containsEntry("improvement_percent", "50.0000")
                .containsEntry("p", "")
                .containsEntry("wins", "1")
                .containsEntry("losses", "1")
                .containsEntry("beats_surely", "1");
        assertThat(row(rows, "B,,\"g:a=1,b=2\","))
                .containsEntry("failed", "2")
                .containsEntry("beats", "2")
                .containsEntry("better", "2")
                .containsEntry("gain_where_better_percent", "50.0000");
        assertThat(row(rows, "A,,z,"))
                .containsEntry("foreseen_jobs", "4.0000")
                .containsEntry("foreseen_wait_seconds", "10.0000")
                .containsEntry("foreseen_actual_seconds", "20.0000")
                .containsEntry("start_error_seconds", "10.0000")
                .containsEntry("on_time_share", "0.0000");
    }

    /** z is at (1 node-hour, 100 s); on A, g allocates as many node-hours in runs of 90 and 110 s. */
    @Test
    void makespanIsPlottedAgainstNodeHours() {
        StrategyReport report = StrategyReport.read(folder, ReportOptions.NONE);
        assertThat(report.pictures().get("1-a-node-hours.svg"))
                .contains("<title>z: 0.03 h, 1 node-hours</title>", "<title>g:a=1,b=2: 0.03 h, 1 node-hours</title>")
                .contains(">w</text>", ">v</text>");
        assertThat(report.html()).contains("Makespan against node-hours");
    }

    /** Points of one strategy with several parameters form a curve; those of different strategies do not. */
    @Test
    void parametersOfAStrategyFormACurve() throws IOException {
        assertThat(StrategyReport.read(folder, ReportOptions.NONE).pictures().get("1-a-node-hours.svg"))
                .doesNotContain("<path");
        Path table = folder.resolve("runs.csv");
        Files.writeString(table, Files.readString(table).replace(",z,", ",g,"));
        Files.writeString(folder.resolve("manifest.json"), "{\"title\":\"T\",\"baseline\":\"g\",\"version\":\"1\"}");
        assertThat(StrategyReport.read(folder, ReportOptions.NONE).pictures().get("1-a-node-hours.svg"))
                .contains("<path");
    }

    /** The additional wait of background jobs is a mean over runs: of 10 s and 30 s. */
    @Test
    void showsAdditionalWaitOfBackgroundJobs() throws IOException {
        assertThat(StrategyReport.read(folder, ReportOptions.NONE).html()).contains("Load on the batch system");
        Path table = folder.resolve("runs.csv");
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(table)) {
            String background = line.contains(",0.000,1,") ? "4,10.000," : "2,30.000,";
            int failure = line.lastIndexOf(',') + 1;
            text.append(line, 0, failure)
                    .append(line.startsWith("run,") ? "background_jobs,background_wait_delta_seconds," : background)
                    .append(line, failure, line.length())
                    .append('\n');
        }
        Files.writeString(table, text);
        assertThat(row(summary(), "A,,z,")).containsEntry("background_wait_delta_seconds", "20.0000");
        assertThat(StrategyReport.read(folder, ReportOptions.NONE).html())
                .contains("additional wait (s)", "<td>20.0</td>");
    }

    /**
     * The load of completed runs, for the starts 0 and 1. On A, z submits 1 job at both, of which 0 and 1 are cancelled
     * in the queue: 0.5. It releases 0 and 1 node-hour early: 0.5, and uses 60 s of 1 and 2 node-hours: 1.5 - 1/60 =
     * 1.48. g submits 3 and 8 jobs: 5.5; of them 2 and 5 are cancelled: 3.5. It releases 2 and 5 node-hours early: 3.5,
     * and uses 60 s of 4 and 7 node-hours: 5.48. Other jobs wait 10 and 30 s longer for z, and 2 s shorter and 5 s
     * longer for g. On B, g fails at start 0: only start 1 counts.
     */
    @Test
    void showsTheLoadOnTheBatchSystem() throws IOException {
        Path table = folder.resolve("runs.csv");
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(table)) {
            boolean z = line.contains(",z,");
            boolean first = line.contains(",0.000,1,") || line.contains(",0.000,0,");
            String load = z
                    ? (first ? "0,0.000,10.000," : "1,3600.000,30.000,")
                    : first ? "2,7200.000,-2.000," : "5,18000.000,5.000,";
            String held = z ? (first ? "3600" : "7200") : first ? "14400" : "25200";
            String changed = line.replace(",3600.000,60.000,", "," + held + ".000,60.000,");
            changed = z || first ? changed : changed.replace(",60.000,3,", ",60.000,8,");
            int failure = changed.lastIndexOf(',') + 1;
            text.append(changed, 0, failure)
                    .append(
                            line.startsWith("run,")
                                    ? "cancelled_queued,given_back_node_seconds,background_wait_delta_seconds,"
                                    : load)
                    .append(changed, failure, changed.length())
                    .append('\n');
        }
        Files.writeString(table, text);
        assertThat(StrategyReport.read(folder, ReportOptions.NONE).html())
                .contains(
                        "<th>jobs submitted</th><th>maximum per run</th><th>cancelled while queued</th>"
                                + "<th>node-hours released early</th><th>node-hours idle</th>"
                                + "<th>background jobs: additional wait (s)</th></tr>",
                        "<tr class=\"first\"><td>A</td>" + cells("z", "1.00", "1", "0.50", "0.5", "1.5", "20.0"),
                        "<tr><td></td>" + cells("g:a=1,b=2", "5.50", "8", "3.50", "3.5", "5.5", "1.5"),
                        "<tr class=\"first\"><td>B</td>" + cells("z", "1.00", "1", "0.50", "0.5", "1.5", "20.0"),
                        "<tr><td></td>" + cells("g:a=1,b=2", "8.00", "8", "5.00", "5.0", "7.0", "5.0"));
        assertThat(row(summary(), "A,,\"g:a=1,b=2\","))
                .containsEntry("jobs", "5.5000")
                .containsEntry("most_jobs", "8")
                .containsEntry("cancelled_queued", "3.5000")
                .containsEntry("given_back_node_hours", "3.5000")
                .containsEntry("idle_node_hours", "5.4833")
                .containsEntry("background_wait_delta_seconds", "1.5000");
    }

    /** The cells of the rest of a row. */
    private static String cells(String... texts) {
        return "<td>" + String.join("</td><td>", texts) + "</td></tr>";
    }

    /** The improvements of g are 0 % on A and 50 % on B. */
    @Test
    void showsTheSpreadOfImprovementsOverAColumn() throws IOException {
        StrategyReport report =
                StrategyReport.read(folder, new ReportOptions(List.of("estimates"), "", "", "", "cluster"));
        assertThat(report.tables().getOrDefault("spread.csv", "").lines())
                .containsExactly(
                        "estimates,strategy,over,values,median_improvement,least_improvement,greatest_improvement,ahead",
                        "requested,z,cluster,2,0.0000,0.0000,0.0000,0",
                        "requested,\"g:a=1,b=2\",cluster,2,25.0000,0.0000,50.0000,1");
        assertThat(report.html())
                .contains("Improvement over the values of cluster")
                .contains("1 of 2");
        assertThat(StrategyReport.read(folder, ReportOptions.NONE).tables()).containsOnlyKeys("summary.csv");
        assertThatThrownBy(() -> StrategyReport.read(folder, new ReportOptions(List.of(), "", "", "", "cap")))
                .hasMessageContaining("'cap' is the same in all runs");
    }

    /**
     * Turns the runs of B into runs of A with another queue order: z takes as long, and g takes 50 s instead of 110 s
     * in the completed runs.
     */
    @Test
    void comparesQueueOrders() throws IOException {
        Path table = folder.resolve("runs.csv");
        Files.writeString(table, Files.readString(table).replace(",B,l,10,easy,fcfs,", ",A,l,10,easy,large,"));
        assertThat(StrategyReport.read(folder, ReportOptions.NONE)
                        .tables()
                        .getOrDefault("ratios.csv", "")
                        .lines())
                .containsExactly(
                        "parameter,cluster,strategy,value,over,runs,ratio,ratio_low,ratio_high",
                        "order,A,z,large,fcfs,4,1.0000,1.0000,1.0000",
                        "order,A,\"g:a=1,b=2\",large,fcfs,2,0.4545,0.4545,0.4545");
    }

    /**
     * On A, z runs for 80 s, so g with 90 and 110 s waits for 10 and 30 s. The best of z alone is 100 s, so g is 10 %
     * ahead once.
     */
    @Test
    void waitsAndTheBestUseTheSelectedStrategies() throws IOException {
        assertThat(row(summary(new ReportOptions(List.of(), "z*", "z", "", "")), "A,w,\"g:a=1,b=2\","))
                .containsEntry("wait_seconds", "20.0000")
                .containsEntry("relative_wait", "0.2500")
                .containsEntry("from_best_percent", "0.0000")
                .containsEntry("ahead_of_best", "1");
        assertThat(row(summary(new ReportOptions(List.of(), "!g:*", "z", "", "")), "A,w,\"g:a=1,b=2\","))
                .as("all strategies except g")
                .containsEntry("from_best_percent", "0.0000")
                .containsEntry("ahead_of_best", "1");
        assertThatThrownBy(() -> summary(new ReportOptions(List.of("max_time"), "", "", "", "")))
                .hasMessageContaining("the table has no column 'max_time'. Columns: run, ");
        assertThatThrownBy(() -> summary(new ReportOptions(List.of(), "", "giant", "", "")))
                .hasMessageContaining("unknown strategy of the table 'giant'");
    }

    @Test
    void columnsCanBeSplitAtAValue() throws IOException {
        List<String> rows = summary("makespan_seconds>95");
        assertThat(row(rows, "above 95,,\"g:a=1,b=2\",")).containsEntry("runs", "2");
        assertThat(row(rows, "up to 95,,\"g:a=1,b=2\",")).containsEntry("runs", "6");
        assertThatThrownBy(() -> summary("width>x")).hasMessageContaining("'x' is not a number");
    }

    /** If two rows of A are missing, their counterparts on B do not count either. */
    @Test
    void incompletePairsAreLeftOutOnRequest() throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("runs.csv")));
        lines.remove(2);
        lines.remove(1);
        Files.write(folder.resolve("runs.csv"), lines);
        assertThat(row(summary("cluster"), "B,,z,")).containsEntry("runs", "4");
        assertThat(row(summary(new ReportOptions(List.of("cluster"), "", "", "cluster", "")), "B,,z,"))
                .containsEntry("runs", "3");
    }

    /** A row without an outcome is not a run; the numbers of the other runs do not change. */
    @Test
    void rowsWithoutAResultAreIgnored() throws IOException {
        String table = Files.readString(folder.resolve("runs.csv"));
        Files.writeString(folder.resolve("runs.csv"), table.replaceFirst(",0\\.000,1,100\\.0,", ",0.000,,100.0,"));
        assertThat(row(summary(), "A,,z,")).containsEntry("runs", "3");
        assertThat(row(summary(), "A,,\"g:a=1,b=2\","))
                .containsEntry("runs", "4")
                .containsEntry("wins", "1");
    }

    @Test
    void anyColumnCanGroupTheSummary() throws IOException {
        assertThat(summary("cap").get(1)).startsWith("16,,z,8,0,100.0000,100.0000,100.0000,0.0000,");
        assertThatThrownBy(() -> summary("clustr"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("Did you mean 'cluster'?");
    }

    @Test
    void failedRunsAreShownAndNamesAreEscaped() {
        StrategyReport report = StrategyReport.read(folder, ReportOptions.NONE);
        assertThat(report.failed()).isEqualTo(2);
        String html = report.html();
        assertThat(html)
                .contains(
                        "<td class=\"failed\">2 of 4</td>",
                        "2/0 of 2",
                        "1/0 of 1",
                        "typical run",
                        "<button type=\"button\" data-run=\"12\">12</button>",
                        "the &lt;lamp&gt; went out",
                        "expected wait (h)",
                        "href=\"#part2\"")
                .doesNotContain("NaN", "http://w3", "https:");
        assertThat(report.pictures()).hasSize(8).allSatisfy((name, svg) -> {
            assertThat(name).matches("[a-z0-9-]+\\.svg");
            assertThat(svg).startsWith("<svg xmlns").endsWith("</svg>\n").doesNotContain("NaN");
        });
        assertThat(StrategyReport.read(folder, ReportOptions.NONE).html()).isEqualTo(html);
        assertThat(report.examples())
                .startsWith(10L, 14L)
                .doesNotHaveDuplicates()
                .hasSize(16);
    }

    @Test
    void invalidTablesAreRefused() throws IOException {
        Files.writeString(folder.resolve("runs.csv"), HEAD + "1,A\n");
        assertThatThrownBy(() -> StrategyReport.read(folder, ReportOptions.NONE))
                .hasMessageContaining("row 1 has 2 fields");
        Files.writeString(folder.resolve("runs.csv"), "a,b\n");
        assertThatThrownBy(() -> StrategyReport.read(folder, ReportOptions.NONE))
                .hasMessageContaining("has no column 'run'");
    }
}
