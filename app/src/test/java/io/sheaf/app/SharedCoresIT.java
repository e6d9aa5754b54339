package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests real tasks of half a core on one node of one core: two of them run at once, three do not. */
class SharedCoresIT {
    private static final String[] ONE_CORE = {"--nodes", "1", "--cores-per-node", "1"};

    @TempDir
    Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endStartedProcesses() throws IOException, InterruptedException {
        started.forEach(Process::destroyForcibly);
        RealRun.endProcesses(folder);
    }

    /** A command that creates its own file, and succeeds if the other file appears within half a minute. */
    private static String meeting(String own, String other) {
        return "echo > " + own + "; for i in $(seq 300); do [ -e " + other + " ] && exit 0; sleep 0.1; done; exit 1";
    }

    private Process sheaf(RealRun run, List<String> words, String... more) throws IOException {
        List<String> line = new ArrayList<>(words);
        line.addAll(List.of(more));
        Process process = run.sheaf(line.toArray(String[]::new));
        started.add(process);
        return process;
    }

    @Test
    void twoHalfCoreTasksRunAtOnceAndAThirdWaits() throws Exception {
        Files.writeString(folder.resolve("workflow.yaml"), """
                name: halves
                defaults: {cores: 0.5, time: 5s}
                tasks:
                  a: {run: 'trap "echo > a.over" 0; %s'}
                  b: {run: 'trap "echo > b.over" 0; %s'}
                  c: {run: 'ls a.over b.over > seen || true'}
                """.formatted(
                        meeting("a.here", "b.here"), meeting("b.here", "a.here")));
        RealRun run = new RealRun(folder);
        Process process = run.start(ONE_CORE);
        started.add(process);
        assertThat(run.await(process)).as(run.errorOutput()).isZero();
        // When the third task began, one of the first two had ended.
        assertThat(Files.readString(folder.resolve("seen"))).contains(".over");
        assertThat(Files.readString(folder.resolve("run/record.json"))).contains("\"coreShare\": 0.5");
        Process report = sheaf(run, List.of("report", "run", "--html", "report.html"));
        assertThat(run.await(report)).as(run.errorOutput()).isZero();
    }

    /** Tasks of different workflows, of different owners, share a core. */
    @Test
    void tasksOfDifferentWorkflowsShareACoreOfAService() throws Exception {
        RealRun run = new RealRun(folder);
        sheaf(run, List.of("serve", "--state", "run", "--policy", "fair-share"), ONE_CORE);
        String[][] pairs = {{"ann", "bob"}, {"bob", "ann"}};
        for (String[] pair : pairs) {
            Path in = Files.createDirectories(folder.resolve(pair[0]));
            Files.writeString(
                    in.resolve("workflow.yaml"),
                    "tasks:\n  half: {cores: 0.5, time: 20s, run: '"
                            + meeting("../" + pair[0] + ".here", "../" + pair[1] + ".here") + "'}\n");
        }
        awaitFile(folder.resolve("run/dashboard-token"), run);
        for (String[] pair : pairs) {
            Process submitted = run.sheaf("submit", pair[0] + "/workflow.yaml", "--owner", pair[0], "--to", "run");
            assertThat(run.await(submitted)).as(run.errorOutput()).isZero();
        }
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(run.await(started.get(0))).as(run.errorOutput()).isZero();
    }

    @Test
    void separatelySubmittedTasksShareACore() throws Exception {
        RealRun run = new RealRun(folder);
        List<String> submit = List.of("submit-task", "--idle", "4s", "--time", "20s", "--cores", "0.5");
        assertThat(run.await(sheaf(
                        run,
                        submit,
                        "--nodes",
                        "1",
                        "--",
                        "sh",
                        "-c",
                        "(" + meeting("one", "two") + ") && echo > met")))
                .as(run.errorOutput())
                .isZero();
        assertThat(run.await(sheaf(run, submit, "--", "sh", "-c", meeting("two", "one"))))
                .isZero();
        awaitFile(folder.resolve("met"), run);
        for (String cores : List.of("0.0005", "-0.5", "NaN", "1.5")) {
            assertThat(run.await(run.sheaf("submit-task", "--cores=" + cores, "--", "true")))
                    .as(cores)
                    .isEqualTo(ExitStatus.BAD_INPUT);
        }
        assertThat(run.await(sheaf(run, submit, "--task-nodes", "2", "--", "true")))
                .isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(run.errorOutput()).contains("--cores 0.5: a task of 2 nodes needs whole cores");
    }

    private static void awaitFile(Path file, RealRun run) throws IOException, InterruptedException {
        Await.until(() -> file + " exists; " + run.errorOutput(), () -> Files.exists(file));
    }
}
