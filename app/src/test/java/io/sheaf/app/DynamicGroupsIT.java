package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups over files that a task of the same run writes, with real processes. */
class DynamicGroupsIT {
    private static final String WORKFLOW = """
            name: parts
            vars: {last: c}
            tasks:
              split:
                out: {dir: parts}
                time: 1s
                run: for p in a b {last}; do echo $p > {out}$p.txt; done; echo split >> ran
              count:
                foreach: {p: {glob: "parts/*.txt"}}
                in: "parts/{p}.txt"
                out: "{p}.n"
                time: 4s
                run: echo {p} >> ran; sleep $(test {p} = a && echo 0 || echo 3); wc -c < {in} > {out}
              total:
                in: {from: count}
                out: total
                time: 1s
                run: cat {in} | wc -l > {out}
            """;

    @TempDir
    Path folder = Path.of("");

    private RealRun run = new RealRun(Path.of(""));

    @BeforeEach
    void writeFiles() throws IOException {
        run = new RealRun(folder);
        Files.writeString(folder.resolve("workflow.yaml"), WORKFLOW);
    }

    /**
     * The manager is killed while tasks of the group run. Later changes of the workflow file do not affect the resumed
     * run.
     */
    @Test
    void aKilledRunIsResumedWithItsGroup() throws IOException, InterruptedException {
        Process manager = run.start("--nodes", "2", "--set", "last=d");
        run.awaitLines("ran", 3);
        manager.destroyForcibly().waitFor();
        Files.writeString(folder.resolve("workflow.yaml"), "tasks: {x: {run: x}}\n");
        Files.writeString(folder.resolve("parts/late.txt"), "not a task\n");
        assertThat(run.await(run.resume())).as(run.errorOutput()).isZero();
        assertThat(run.lines("total")).as(run.errorOutput()).containsExactly("3");
        assertThat(run.lines("ran"))
                .containsOnlyOnce("split", "a")
                .contains("b", "d")
                .doesNotContain("late", "c");
        assertThat(run.await(run.sheaf("status", "run"))).isZero();
        assertThat(run.await(run.sheaf("history", "run"))).isZero();
        assertThat(String.join("\n", run.lines("out.txt"))).contains("not simulated: it has groups over written files");
        Files.delete(folder.resolve("parts/late.txt"));
        Files.writeString(folder.resolve("workflow.yaml"), WORKFLOW);
        Files.delete(folder.resolve("a.n"));
        assertThat(run.await(run.sheaf("run", "workflow.yaml", "--set", "last=d", "--run-dir", "again")))
                .as(run.errorOutput())
                .isZero();
        assertThat(run.lines("ran").stream().filter("a"::equals))
                .as("its output was missing")
                .hasSize(2);
        assertThat(run.lines("ran")).containsOnlyOnce("split");
    }

    /** The tasks of the group are planned to run again after their command has changed. */
    @Test
    void aPlanContainsTheTasksOfTheGroup() throws IOException, InterruptedException {
        assertThat(run.await(run.sheaf("plan", "workflow.yaml")))
                .as(run.errorOutput())
                .isZero();
        Path out = folder.resolve("out.txt");
        assertThat(Files.readString(out)).contains("  later: the tasks of 'count'");
        assertThat(run.await(run.start("--nodes", "2"))).as(run.errorOutput()).isZero();
        Files.writeString(folder.resolve("workflow.yaml"), WORKFLOW.replace("echo {p} >>", "echo x{p} >>"));
        assertThat(run.await(run.sheaf("plan", "workflow.yaml")))
                .as(run.errorOutput())
                .isZero();
        assertThat(Files.readString(out))
                .contains("1 of 5 tasks are up to date, 4 run", "count-b: its command has changed");
    }

    /** The writer ends after its manager was killed; the resumed manager adds the group. */
    @Test
    void aResumedManagerAddsTheGroupOfAnEndedWriter() throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("workflow.yaml"),
                WORKFLOW.replace("for p in", "echo begun >> begun; sleep 3; for p in"));
        Process manager = run.start("--nodes", "2");
        run.awaitLines("begun", 1);
        manager.destroyForcibly().waitFor();
        assertThat(run.await(run.resume())).as(run.errorOutput()).isZero();
        assertThat(run.lines("total")).as(run.errorOutput()).containsExactly("3");
    }

    @Test
    void theRunEndsIfTheWriterFailsOrWritesNothing() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("workflow.yaml"), WORKFLOW.replace("for p in", "false; for p in"));
        assertThat(run.await(run.start("--nodes", "2"))).as(run.errorOutput()).isEqualTo(1);
        assertThat(List.of(run.lines("ran"), run.lines("total"))).isEqualTo(List.of(List.of(), List.of()));
        Files.writeString(folder.resolve("workflow.yaml"), WORKFLOW.replace("for p in a b {last}", "for p in"));
        assertThat(run.await(run.sheaf("run", "workflow.yaml", "--run-dir", "empty")))
                .as(run.errorOutput())
                .isZero();
        assertThat(run.lines("total")).containsExactly("0");
    }
}
