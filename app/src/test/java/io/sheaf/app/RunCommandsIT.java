package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests status, predict, cancel and resume on runs with real processes. */
class RunCommandsIT {
    private static final Path BUILT = Path.of("target/sheaf").toAbsolutePath();
    private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath();
    private static final int TIMEOUT_SECONDS = 120;
    private static final String SLOW = """
            name: slow
            tasks:
              a:
                foreach: {p: 1..3}
                time: 100s
                run: sleep 100
              b: {time: 1s, after: a, run: "true"}
            """;

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        Files.writeString(folder.resolve("slow.yaml"), SLOW);
    }

    @AfterEach
    void endAll() throws IOException {
        started.forEach(Process::destroyForcibly);
        for (ProcessHandle process : processesOf("run")) {
            process.destroyForcibly();
        }
    }

    @Test
    void cancelEndsAllProcessesOfARun() throws Exception {
        Process manager = runSlow();
        // One job occupies all three nodes until the end of its walltime; there are no other jobs.
        Finished predict = sheaf("predict", "--run", "run", "--nodes", "1", "--time", "1m", "--json");
        assertThat(predict.status()).as(predict.err()).isZero();
        assertThat(predict.out())
                .contains("\"basis\" : \"limits\"", "\"clusterNodes\" : 3", "\"takenNodes\" : 3")
                .containsPattern("\"medianSeconds\" : [1-9][0-9]+");
        Finished cancel = sheaf("cancel", "run");
        assertThat(cancel.err()).isEmpty();
        assertThat(cancel.out()).contains("is cancelled");
        assertThat(cancel.status()).isZero();
        assertThat(manager.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(manager.exitValue()).isEqualTo(1);
        assertThat(processesOf("run")).isEmpty();
        assertThat(statusJson()).contains("\"state\" : \"cancelled\"");
        assertThat(folder.resolve("run/requests/cancel")).doesNotExist();
    }

    @Test
    void cancelEndsARunWithoutAManager() throws Exception {
        Process manager = runSlow();
        manager.destroyForcibly().waitFor();
        assertThat(statusJson()).contains("\"state\" : \"interrupted\"");
        assertThat(processesOf("run")).as("agents and tasks continue").isNotEmpty();
        Finished cancel = sheaf("cancel", "run");
        assertThat(cancel.status()).as(cancel.err()).isZero();
        assertThat(processesOf("run")).isEmpty();
        assertThat(statusJson()).contains("\"state\" : \"cancelled\"");
        assertThat(sheaf("resume", "run").status()).isEqualTo(1);
    }

    @Test
    void resumeContinuesAPausedRun() throws Exception {
        Path run = folder.resolve("run");
        try (RecordedFolder recording =
                new RecordedFolder(run, "onejob", "name: one\ntasks:\n  a: {time: 1s, run: 'true'}\n")) {
            long at = RecordedFolder.BEGIN;
            for (int i = 1; i <= 10; i++) {
                at += 700_000;
                recording.apply(new Event.Refused(at, i, "the queue is closed"));
                recording.apply(new Event.Woken(at + 600_000));
            }
        }
        assertThat(statusJson()).contains("\"state\" : \"paused\"");
        Finished resumed = sheaf("resume", "run");
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertThat(statusJson()).contains("\"state\" : \"done\"");
    }

    /** The documented example: one pilot job waits while another one runs, and the run ends within a minute. */
    @Tag("slow")
    @Test
    void theExampleHidesQueueWaitBehindARunningJob() throws Exception {
        Finished run = sheaf(
                "run",
                EXAMPLES.resolve("ensemble.yaml").toString(),
                "--work-dir",
                folder.toString(),
                "--set",
                "results=results",
                "--run-dir",
                "run",
                "--nodes",
                "8",
                "--background",
                "kth-like@600x",
                "--seed",
                "13",
                "--strategy",
                "glume",
                "--json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(number(run.out(), "waitWhileRunningSeconds")).isGreaterThan(5);
        assertThat(number(run.out(), "makespanSeconds")).isLessThan(60);
        assertThat(Files.readString(folder.resolve("results/mean.txt"))).isNotEmpty();
        assertThat(sheaf("explain", "run").out()).contains("level 0: ends earliest", "levels 1-2: ends earliest");
    }

    private static double number(String json, String field) {
        Matcher matcher = Pattern.compile("\"" + field + "\" : ([0-9.]+)").matcher(json);
        assertThat(matcher.find()).as(field).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    /** Starts a run of long tasks and waits until they run. */
    private Process runSlow() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        BUILT.toString(),
                        "run",
                        "slow.yaml",
                        "--run-dir",
                        "run",
                        "--nodes",
                        "3",
                        "--strategy",
                        "onejob")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        Await.until("three tasks run", () -> {
            assertThat(process.isAlive())
                    .as(() -> "still running: " + printed())
                    .isTrue();
            return statusJson().contains("\"running\" : 3,");
        });
        return process;
    }

    private String printed() {
        try {
            return Files.readString(folder.resolve("printed"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String statusJson() {
        return Run.in(folder, environment, "status", "run", "--json").out();
    }

    private Finished sheaf(String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(BUILT.toString()));
        line.addAll(List.of(args));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    /** The processes of the run in a folder, which have its id in their environment. */
    private List<ProcessHandle> processesOf(String name) throws IOException {
        Path spec = folder.resolve(name).resolve("run.json");
        if (!Files.exists(spec)) {
            return List.of();
        }
        Matcher id = Pattern.compile("\"id\":\"([0-9a-z]+)\"").matcher(Files.readString(spec));
        assertThat(id.find()).isTrue();
        String mark = "SHEAF_RUN=" + id.group(1);
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> environment(process.pid()).contains(mark))
                    .toList();
        }
    }

    private static List<String> environment(long pid) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
            return List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\u0000"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
