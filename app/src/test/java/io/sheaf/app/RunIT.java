package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the run and resume commands with the built command, agents and processes. */
class RunIT {
    private static final Path BUILT = Path.of("target/sheaf").toAbsolutePath();
    private static final int TIMEOUT_SECONDS = 120;

    /**
     * Each task appends a line to a file when it begins and creates its output when it ends. The second tasks wait for
     * a file 'go'.
     */
    private static final String CHAINS = """
            name: chains
            vars: {c: 1..3}
            tasks:
              first:
                foreach: {i: c}
                out: a-{i}.txt
                time: 2s
                run: echo first-{i} >> begun.txt; echo > {out}
              second:
                foreach: {i: c}
                in: a-{i}.txt
                out: b-{i}.txt
                time: 30s
                run: echo second-{i} >> begun.txt; until [ -e go ]; do sleep 0.1; done; echo > {out}
              last:
                in: {from: second}
                out: c.txt
                time: 1s
                run: echo last >> begun.txt; cat {in} > {out}
            """;

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    @BeforeAll
    static void checkBuilt() {
        assertThat(BUILT).exists();
    }

    @BeforeEach
    void setUp() {
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    private Finished sheaf(String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(BUILT.toString()));
        line.addAll(List.of(args));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    @Test
    void aShippedExampleRuns() throws IOException, InterruptedException {
        Path examples = Files.createDirectory(folder.resolve("examples"));
        Files.copy(Path.of("../examples/montage-mini.yaml"), examples.resolve("montage-mini.yaml"));
        Finished isolated = sheaf("run", "examples/montage-mini.yaml", "--isolated");
        assertThat(isolated.status()).isEqualTo(3);
        assertThat(isolated.err()).contains("'../results/", "is outside of the working folder");
        Finished run = sheaf("run", "examples/montage-mini.yaml", "--run-dir", "run", "--background", "kth-like@3600x");
        assertThat(run.err())
                .contains("pilot job 1", "submitted for", "started after a queue wait of", "task mosaic done");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.out()).contains("0 failed, 0 skipped of 26", "queue wait");
        assertThat(folder.resolve("results/histogram.txt")).isNotEmptyFile();
        assertThat(Files.getPosixFilePermissions(folder.resolve("run"))).hasSize(3);
        Finished record = sheaf("inspect", "run/record.json");
        assertThat(record.out()).contains("tasks             26");
        Finished resumed = sheaf("resume", "run");
        assertThat(resumed.status())
                .as("a completed run stays completed: %s", resumed.err())
                .isZero();
    }

    @Test
    void listenAndPortsSetWhereAgentsConnect() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("one.yaml"), "tasks:\n  a: {run: echo done > a.txt, out: a.txt, time: 1s}\n");
        Finished files = sheaf("run", "one.yaml", "--run-dir", "files", "--listen", "files");
        assertThat(files.status()).as(files.err()).isZero();
        Finished ports = sheaf("run", "one.yaml", "--rerun", "all", "--run-dir", "ports", "--ports", "41000-41900");
        assertThat(ports.status()).as(ports.err()).isZero();
        assertThat(Files.readString(folder.resolve("ports/endpoint"))).containsPattern("port 41[0-9]{3}\n");
        Finished nowhere =
                sheaf("run", "one.yaml", "--rerun", "all", "--run-dir", "nowhere", "--listen", "203.0.113.9");
        assertThat(nowhere.status()).isEqualTo(3);
        assertThat(nowhere.err()).contains("203.0.113.9 is not an address of this machine", "see --listen and --ports");
        assertThat(folder.resolve("nowhere")).doesNotExist();
    }

    @Test
    void aFailedTaskEndsTheRunAndItsOutputIsShown() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("fails.yaml"), """
            name: fails
            tasks:
              good: {run: echo fine, time: 1s}
              bad: {run: 'echo the reason is this >&2; exit 7', time: 1s, retries: 1}
              after: {after: bad, run: echo never > never.txt, time: 1s}
            """);
        Finished run = sheaf("run", "fails.yaml", "--run-dir", "run");
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("task bad failed", "the reason is this", "attempt 2");
        assertThat(folder.resolve("never.txt")).doesNotExist();
    }

    @Test
    void workflowsThatCannotRunAreRefusedBeforeSubmission() throws IOException, InterruptedException {
        assertRefused("tasks:\n  a: {run: [no-such-program, x]}\n", "'no-such-program'");
        assertRefused("tasks:\n  a: {run: 'true', cores: 9}\n", "needs 9 cores");
        assertRefused("tasks:\n  a: {run: 'true', nodes: 9}\n", "needs 9 nodes");
        assertRefused("tasks:\n  a: {time: 1s}\n", "has no command");
        assertRefused("tasks:\n  a: {run: 'true', in: nothing.txt}\n", "'nothing.txt'");
        assertRefused(
                "tasks:\n  a: {run: 'true', time: 2h}\n", "task 'a' of workflow 'bad' needs 2h", "--max-time", "2h");
        assertRefused("tasks:\n  a: {run: 'true', nodes: 2}\n", "a job may have at most 1", "--max-nodes", "1");
    }

    /** With a walltime of at most 3 min, of which the agents reserve a part, each task of 100 s needs its own job. */
    @Test
    void jobsStayWithinTheWalltimeLimit() throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("chain.yaml"),
                "tasks:\n  a: {run: 'true', time: 100s}\n  b: {run: 'true', time: 100s, after: a}\n");
        Finished run =
                sheaf("run", "chain.yaml", "--run-dir", "run", "--strategy", "glume", "--max-time", "3m", "--json");
        assertThat(run.status()).as(run.err()).isZero();
        assertThat(Files.readString(folder.resolve("run/run.json"))).contains("\"maxTime\":180000");
        String decisions = sheaf("explain", "run", "--json").out();
        Matcher submitted = Pattern.compile("\"job\" : [0-9]+,\\s*\"nodes\" : 1,\\s*\"walltimeSeconds\" : ([0-9.]+)")
                .matcher(decisions);
        int jobs = 0;
        for (; submitted.find(); jobs++) {
            assertThat(Double.parseDouble(submitted.group(1))).isLessThan(180);
        }
        assertThat(jobs).as(decisions).isEqualTo(2);
    }

    private void assertRefused(String text, String error, String... options) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("bad.yaml"), text);
        List<String> words = new ArrayList<>(List.of("run", "bad.yaml", "--run-dir", "run"));
        words.addAll(List.of(options));
        Finished run = sheaf(words.toArray(String[]::new));
        assertThat(run.err()).contains("bad.yaml:2:3: ", error).hasLineCount(1);
        assertThat(run.status()).isEqualTo(3);
        assertThat(folder.resolve("run")).doesNotExist();
    }

    @Test
    void anInterruptedRunIsResumed() throws IOException, InterruptedException {
        Process first = startChains();
        awaitLines(3);
        // As Ctrl-C does.
        new ProcessBuilder("kill", "-INT", String.valueOf(first.pid())).start().waitFor();
        assertThat(first.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue()).isEqualTo(5);
        assertThat(Files.readString(folder.resolve("err.txt")))
                .contains("1 pilot job and ", " continue without a manager", "sheaf resume " + folder, "sheaf cancel ");
        Finished second = sheaf("run", "chains.yaml", "--run-dir", "second");
        assertThat(second.status()).as(second.err()).isEqualTo(3);
        assertThat(second.err())
                .contains("has an unfinished run in this folder (interrupted", "sheaf resume " + folder, "--force");
        assertThat(second.err()).doesNotContain("has changed");
        assertThat(folder.resolve("second")).doesNotExist();
        Files.writeString(folder.resolve("chains.yaml"), "# edited\n", StandardOpenOption.APPEND);
        assertThat(sheaf("run", "chains.yaml").err())
                .contains("The file has changed since that run began; to run it as it is now, cancel that run first");
        assertResumedOnce();
    }

    @Test
    void aSecondRunOfALiveWorkflowNeedsForce() throws IOException, InterruptedException {
        Process first = startChains();
        awaitLines(3);
        Finished second = sheaf("run", "chains.yaml");
        assertThat(second.status()).as(second.err()).isEqualTo(3);
        assertThat(second.err()).contains("sheaf watch " + folder).hasLineCount(1);
        Files.createFile(folder.resolve("go"));
        Finished forced = sheaf("run", "chains.yaml", "--force", "--rerun", "all", "--run-dir", "forced");
        assertThat(forced.status()).as(forced.err()).isZero();
        assertThat(first.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        Finished third = sheaf("run", "chains.yaml", "--rerun", "all", "--run-dir", "third");
        assertThat(third.status()).as(third.err()).isZero();
    }

    @Test
    void aFailingStepFailsTheTask() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("strict.yaml"), """
            tasks:
              pipe: {run: 'false | cat > {out}', out: pipe.txt, time: 1s}
              middle: {run: "false\ntouch {out}", out: middle.txt, time: 1s}
              unset: {run: 'echo $NOT_SET > {out}', out: unset.txt, time: 1s}
              loose: {run: 'false; echo $NOT_SET > {out}', shell: /bin/sh, out: loose.txt, time: 1s}
            """);
        Finished run = sheaf("run", "strict.yaml", "--run-dir", "run", "--keep-going");
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.out()).contains("1 done, 3 failed");
    }

    @Test
    void aKilledRunIsResumed() throws IOException, InterruptedException {
        Process first = startChains();
        awaitLines(3);
        Finished second = sheaf("resume", "run");
        assertThat(second.status()).as(second.err()).isEqualTo(3);
        assertThat(second.err()).contains("manages this run");
        first.destroyForcibly().waitFor();
        assertResumedOnce();
    }

    private Process startChains() throws IOException {
        Files.writeString(folder.resolve("chains.yaml"), CHAINS);
        ProcessBuilder builder = new ProcessBuilder(BUILT.toString(), "run", "chains.yaml", "--run-dir", "run")
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private void awaitLines(int count) throws IOException, InterruptedException {
        Path begun = folder.resolve("begun.txt");
        Await.until(
                () -> count + " tasks began: " + Files.readString(folder.resolve("err.txt")),
                () -> Files.exists(begun) && Files.readAllLines(begun).size() >= count);
    }

    /** No agent died, so no task was run twice. */
    private void assertResumedOnce() throws IOException, InterruptedException {
        Files.createFile(folder.resolve("go"));
        Finished resumed = sheaf("resume", "run");
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertThat(resumed.out()).contains("7 done");
        assertThat(Files.readAllLines(folder.resolve("begun.txt")))
                .containsExactlyInAnyOrder("first-1", "first-2", "first-3", "second-1", "second-2", "second-3", "last");
        assertThat(folder.resolve("c.txt")).exists();
    }
}
