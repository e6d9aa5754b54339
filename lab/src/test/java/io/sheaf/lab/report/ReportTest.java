package io.sheaf.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table that can be followed on paper: two clusters, a workflow from a file and one generated, two starts, two strategies. */
class ReportTest {
    private static final String HEAD =
            "run,cluster,load,nodes,policy,order,placement,cancelled,scale_load,from_seconds,"
                    + "profile,estimates,cores_per_node,task_times,cap,seed,workflow,group,source,tasks,levels,width,"
                    + "work_seconds,strategy,start_seconds,completed,makespan_seconds,lower_bound_seconds,wait_seconds,"
                    + "perceived_wait_seconds,held_node_seconds,used_node_seconds,jobs,expired,reruns\n";

    @TempDir
    Path folder = Path.of("");

    /** On A the second strategy takes 90 and 110 where the baseline takes 100 and 100; on B it fails once and takes 50 for 100. */
    @BeforeEach
    void table() throws IOException {
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
                                        + (z ? 1 : 3) + ",0,0\n");
                    }
                }
            }
        }
        Files.writeString(folder.resolve("runs.csv"), text);
    }

    private List<String> summary(String... by) throws IOException {
        StringWriter out = new StringWriter();
        Report.read(folder, List.of(by)).summary(out);
        return new ArrayList<>(out.toString().lines().toList());
    }

    /** Improvements of 10 and −10 % on A; on B 50 % in the one run that completed, and a loss for the one that did not. */
    @Test
    void figuresThatCanBeFollowedOnPaper() throws IOException {
        List<String> rows = summary();
        assertThat(rows.get(0)).startsWith("cluster,workflow,strategy,runs,failed,makespan_seconds");
        assertThat(rows).anySatisfy(row -> assertThat(row)
                .startsWith("A,,\"g:a=1,b=2\",4,0,100.0000,")
                .contains(",0.0000,-10.0000,10.0000,1.0000,2,2,10.0000,")
                .endsWith(",20.0000,0.2540,1.0000,0.0000,1.0000,0,0"));
        assertThat(rows).anySatisfy(row -> assertThat(row)
                .startsWith(
                        "B,w,\"g:a=1,b=2\",2,1,50.0000,50.0000,50.0000,50.0000,50.0000,50.0000,,1,1,50.0000,0.0000,")
                .endsWith(",1,0"));
        assertThat(rows)
                .anySatisfy(row ->
                        assertThat(row).startsWith("B,,\"g:a=1,b=2\",4,2,").endsWith(",2,0"));
        assertThat(rows).hasSize(1 + 2 * (2 + 4));
    }

    @Test
    void partsByAnyColumn() throws IOException {
        assertThat(summary("cap").get(1)).startsWith("16,,z,8,0,100.0000,100.0000,100.0000,0.0000,");
        assertThatThrownBy(() -> summary("clustr"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("Did you mean 'cluster'?");
    }

    @Test
    void failedRunsAreSeenAndNamesAreText() {
        Report report = Report.read(folder, List.of());
        assertThat(report.failed()).isEqualTo(2);
        String html = report.html();
        assertThat(html)
                .contains(
                        "<td class=\"failed\">2 of 4</td>",
                        "2/0 of 2",
                        "1/0 of 1",
                        "typical run",
                        "<td>12</td>",
                        "href=\"#part2\"")
                .doesNotContain("NaN", "http://w3", "https:");
        assertThat(report.pictures()).hasSize(6).allSatisfy((name, svg) -> {
            assertThat(name).matches("[a-z0-9-]+\\.svg");
            assertThat(svg).startsWith("<svg xmlns").endsWith("</svg>\n").doesNotContain("NaN");
        });
        assertThat(Report.read(folder, List.of()).html()).isEqualTo(html);
    }

    @Test
    void whatIsNoTableIsRefused() throws IOException {
        Files.writeString(folder.resolve("runs.csv"), HEAD + "1,A\n");
        assertThatThrownBy(() -> Report.read(folder, List.of())).hasMessageContaining("row 1 has 2 fields");
        Files.writeString(folder.resolve("runs.csv"), "a,b\n");
        assertThatThrownBy(() -> Report.read(folder, List.of())).hasMessageContaining("has no column 'run'");
    }
}
