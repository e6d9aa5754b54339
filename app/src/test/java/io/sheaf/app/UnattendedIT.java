package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests runs on a real Slurm without a user: in the background, inside a job, and with manager jobs. */
@Tag("slow")
class UnattendedIT {
    private static final int TIMEOUT_SECONDS = 240;

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4));

    @TempDir
    Path folder = Path.of("");

    private static RealSlurm slurm() {
        return SLURM.get();
    }

    /** Writes a workflow that is a chain of tasks of a number of seconds each. */
    private void writeChain(int tasks, int seconds) throws IOException {
        StringBuilder yaml = new StringBuilder("name: chain\ntasks:\n");
        for (int i = 0; i < tasks; i++) {
            yaml.append("  t" + i + ": {run: 'sleep " + seconds + "; echo $SHEAF_TASK >> lines; echo > f" + i + "', "
                    + (i > 0 ? "in: f" + (i - 1) + ", " : "") + "out: f" + i + ", time: " + seconds + "s}\n");
        }
        Files.writeString(folder.resolve("workflow.yaml"), yaml);
    }

    private Map<String, String> variables() {
        return Map.of(
                "SHEAF_CACHE", RealRun.CACHE.toString(),
                "SHEAF_STATE", folder.resolve("state").toString(),
                "JAVA_HOME", System.getProperty("java.home"));
    }

    private int sheaf(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("out.txt").toFile()));
        builder.environment().putAll(slurm().environment());
        builder.environment().putAll(variables());
        Process process = builder.start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(String.join(" ", words) + " does not end: " + out());
        }
        return process.exitValue();
    }

    private String out() throws IOException {
        return Files.readString(folder.resolve("out.txt"));
    }

    private static void awaitEmptyQueue() throws InterruptedException {
        Await.until("the queue is empty", () -> slurm().query("squeue", "-h").isEmpty());
    }

    private void assertDone(int tasks) throws IOException, InterruptedException {
        List<String> lines = Files.readAllLines(folder.resolve("lines"));
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            expected.add("t" + i);
        }
        assertThat(lines).isEqualTo(expected);
        awaitEmptyQueue();
    }

    @Test
    void aManagerJobHandsOverThreeTimes() throws IOException, InterruptedException {
        writeChain(6, 10);
        String[] line = {
            "run",
            "workflow.yaml",
            "--run-dir",
            "run",
            "--on",
            "slurm",
            "--strategy",
            "onejob",
            "--queue-interval",
            "2s"
        };
        List<String> words = new ArrayList<>(List.of(line));
        words.addAll(List.of("--manager-job", "main", "--manager-time", "2m", "--hand-over", "105s"));
        assertThat(sheaf(words.toArray(String[]::new))).as(out()).isZero();
        assertThat(sheaf("watch", "run", "--plain")).as(out()).isZero();
        assertDone(6);
        String log = Files.readString(folder.resolve("run/manager.log"));
        assertThat(log.lines().filter(output -> output.contains("resumed:")).count())
                .as(log)
                .isGreaterThanOrEqualTo(3);
        // Tasks continue while no manager is live: none begins twice.
        assertThat(folder.resolve("run/logs")).isDirectoryNotContaining("glob:**.2.out");
    }

    private int runManaged(String... options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "run",
                "workflow.yaml",
                "--run-dir",
                "run",
                "--on",
                "slurm",
                "--queue-interval",
                "2s",
                "--manager-job"));
        words.add("main");
        words.addAll(List.of(options));
        return sheaf(words.toArray(String[]::new));
    }

    @Test
    void aManagerJobCancelledBeforeItStartsIsReported() throws IOException, InterruptedException {
        writeChain(2, 1);
        slurm().query("scontrol", "update", "nodename=ALL", "state=drain", "reason=test");
        try {
            assertThat(runManaged()).as(out()).isZero();
            slurm().query("scancel", "--name=" + managerName());
            assertThat(sheaf("watch", "run", "--plain")).as(out()).isEqualTo(5);
        } finally {
            slurm().query("scontrol", "update", "nodename=ALL", "state=resume");
        }
        assertThat(out()).contains("no manager job of this run is queued or running", "run/manager.log");
        assertThat(sheaf("status", "run")).as(out()).isZero();
        assertThat(out()).contains("to continue").doesNotContain("cancelled");
        assertThat(sheaf("resume", "run", "--manager-job", "main")).as(out()).isZero();
        assertThat(sheaf("watch", "run", "--plain")).as(out()).isZero();
        assertDone(2);
    }

    /** No node has that address, so each manager fails at its start, after it has submitted its successor. */
    @Test
    void repeatedlyFailingManagerJobsEndTheirChain() throws IOException, InterruptedException {
        writeChain(2, 1);
        assertThat(runManaged("--listen", "192.0.2.1")).as(out()).isZero();
        assertThat(sheaf("watch", "run", "--plain")).as(out()).isEqualTo(5);
        String log = Files.readString(folder.resolve("run/manager.log"));
        assertThat(log)
                .contains("3 manager jobs in a row ended before they managed the run", "see --listen and --ports");
        awaitEmptyQueue();
        assertThat(sheaf("resume", "run")).as(out()).isZero();
        assertDone(2);
    }

    @Test
    void aKilledManagerJobIsReplacedByItsSuccessor() throws IOException, InterruptedException {
        writeChain(3, 5);
        assertThat(runManaged()).as(out()).isZero();
        Path log = folder.resolve("run/manager.log");
        for (int job = 1; job <= 2; job++) {
            int number = job;
            Await.until(
                    () -> "manager job " + number + " has a successor: " + out(),
                    () -> Files.exists(log)
                            && Files.readString(log)
                                            .lines()
                                            .filter(line -> line.contains("takes over when"))
                                            .count()
                                    == number);
            slurm().query(
                            "scancel",
                            "--state=RUNNING",
                            "--signal=" + (number == 1 ? "KILL" : "TERM"),
                            "--full",
                            "--name=" + managerName());
        }
        assertThat(sheaf("watch", "run", "--plain")).as(out()).isZero();
        assertDone(3);
    }

    private String managerName() throws IOException {
        Matcher id = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"")
                .matcher(Files.readString(folder.resolve("run/run.json")));
        assertThat(id.find()).isTrue();
        return "sheaf-" + id.group(1) + ".manager";
    }

    @Test
    void aDetachedRunIsCancelled() throws IOException, InterruptedException {
        writeChain(3, 60);
        assertThat(sheaf("run", "workflow.yaml", "--run-dir", "run", "--on", "slurm", "--detach"))
                .as(out())
                .isZero();
        assertThat(sheaf("status", "run")).as(out()).isZero();
        assertThat(out()).contains("manager");
        assertThat(sheaf("cancel", "run")).as(out()).isZero();
        assertThat(out()).contains("is cancelled");
        awaitEmptyQueue();
        assertThat(folder.resolve("lines")).doesNotExist();
    }

    /** The submitted jobs must not inherit the size of the job that the run is in. */
    @Test
    void aRunInsideAJobCompletes() throws IOException, InterruptedException {
        writeChain(2, 1);
        StringBuilder script = new StringBuilder("cd " + folder + "; ");
        variables().forEach((name, value) -> script.append("export " + name + "='" + value + "'; "));
        script.append(RealRun.BUILT + " run workflow.yaml --run-dir run --on slurm --strategy onejobpertask");
        slurm().query(
                        "sbatch",
                        "--wait",
                        "-n",
                        "2",
                        "-N",
                        "2",
                        "-t",
                        "5",
                        "-o",
                        folder.resolve("job.txt").toString(),
                        "--wrap",
                        script.toString());
        assertDone(2);
    }
}
