package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real tasks that can run on 1, 2 or 4 cores of one node with 4: tasks of a wide level use few cores each, a single
 * task uses all.
 */
class MoldableTasksIT {
    @TempDir
    Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        started.forEach(Process::destroyForcibly);
    }

    private String run(int status, String... options) throws Exception {
        Files.writeString(folder.resolve("workflow.yaml"), """
                name: moldable
                tasks:
                  wide:
                    foreach: {i: 1..4}
                    id: wide{i}
                    time: {1: 20s, 2: 18s, 4: 16s, 64: 15s}
                    out: wide{i}.txt
                    run: echo $SHEAF_CPUS {cores} > {out}; sleep 0.3
                  single:
                    after: wide
                    time: {1: 20s, 2: 18s, 4: 16s}
                    out: single.txt
                    run: [sh, -c, 'echo $SHEAF_CPUS {cores} > single.txt']
                """);
        RealRun run = new RealRun(folder);
        Process process = run.start(options);
        started.add(process);
        assertThat(run.await(process)).as(run.errorOutput()).isEqualTo(status);
        return run.errorOutput();
    }

    private String content(String name) throws IOException {
        return Files.readString(folder.resolve(name)).strip();
    }

    @Test
    void coresAreChosenWhenATaskStarts() throws Exception {
        run(0, "--nodes", "1", "--cores-per-node", "4");
        for (int i = 1; i <= 4; i++) {
            assertThat(content("wide" + i + ".txt")).isEqualTo("1 1");
        }
        assertThat(content("single.txt")).isEqualTo("4 4");
        assertThat(Files.readString(folder.resolve("run/record.json"))).contains("\"coreCount\": 4");
        RealRun reporting = new RealRun(folder);
        Process report = reporting.sheaf("report", "run", "--html", "report.html");
        started.add(report);
        assertThat(reporting.await(report)).as(reporting.errorOutput()).isZero();
        RealRun explaining = new RealRun(folder);
        Process explain = explaining.sheaf("explain", "run");
        started.add(explain);
        assertThat(explaining.await(explain)).as(explaining.errorOutput()).isZero();
        assertThat(Files.readString(folder.resolve("out.txt")))
                .contains("its share of the running jobs' cores")
                .containsPattern("single +4 +1 +0\n")
                .containsPattern("wide +1 +4 +3\n");
    }

    @Test
    void dryRunShowsTheCoresOfMoldableTasks() throws Exception {
        run(0, "--nodes", "1", "--cores-per-node", "4", "--dry-run");
        assertThat(Files.readString(folder.resolve("out.txt")))
                .contains("cores of moldable tasks with auto: 1 × single on 4 cores, 4 × wide on 1 core");
    }

    /**
     * Published strategies use the declared cores: the largest count of the table that a node has and whose efficiency
     * is at least a half.
     */
    @Test
    void publishedStrategiesUseDeclaredCores() throws Exception {
        run(0, "--nodes", "1", "--cores-per-node", "4", "--strategy", "glume");
        assertThat(content("single.txt")).isEqualTo("2 2");
    }
}
