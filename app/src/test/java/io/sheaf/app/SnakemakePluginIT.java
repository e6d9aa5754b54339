package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests Snakemake 8 or later with the plug-in of the Python package and with the profile of the documentation; skipped
 * if Snakemake cannot be installed.
 */
@Tag("slow")
class SnakemakePluginIT {
    private static final int TIMEOUT_SECONDS = 600;

    /** Six numbers, five sums of neighbours, and their sum: 3 + 5 + 7 + 9 + 11. */
    private static final String SUMS = """
            localrules: all

            rule all:
                input: "total.txt"

            rule number:
                output: "n/{i}.txt"
                shell: "echo {wildcards.i} > {output}"

            rule pair:
                input: lambda w: ["n/%s.txt" % w.i, "n/%d.txt" % (int(w.i) + 1)]
                output: "p/{i}.txt"
                shell: "cat {input} | awk '{{s += $1}} END {{print s}}' > {output}"

            rule total:
                input: expand("p/{i}.txt", i=range(1, 6))
                output: "total.txt"
                threads: 2
                resources: runtime=2, mem_mb=100
                shell: "cat {input} | awk '{{s += $1}} END {{print s}}' > {output}"
            """;

    private static final String SLOW = """
            rule all:
                input: expand("slow-{i}.txt", i=range(3))

            rule slow:
                output: "slow-{i}.txt"
                shell: "touch mark-{wildcards.i}; sleep SECONDS; touch {output}"
            """;

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();
    private String snakemake = "";

    @BeforeEach
    void findSnakemake() throws IOException, InterruptedException {
        Path root = Path.of("..").toAbsolutePath().normalize();
        Finished found = Finished.run(
                root,
                Map.of(),
                TIMEOUT_SECONDS,
                List.of(root.resolve("tools/snakemake").toString()));
        assumeTrue(found.status() == 0, () -> "skipped: " + found.err().strip());
        snakemake = found.out().strip();
        environment.put("SHEAF", RealRun.BUILT.toString());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", folder.toString());
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        environment.put("PYTHONPATH", root.resolve("python").toString());
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
        Path commands = Files.createDirectories(folder.resolve("bin"));
        Files.createSymbolicLink(commands.resolve("sheaf"), RealRun.BUILT);
        environment.put("PATH", commands + ":" + System.getenv("PATH"));
    }

    private List<String> plugin(String queue) {
        return List.of(
                "--executor", "sheaf", "--jobs", "50", "--default-resources", "runtime=10", "--sheaf-args", queue);
    }

    /** Installs the profile of the documentation, for two nodes of this machine. */
    private List<String> profile() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "how-to", "bring-a-snakemake-workflow.md"));
        Path profile = Files.createDirectories(folder.resolve(".config/snakemake/sheaf"));
        Files.writeString(
                profile.resolve("config.v8+.yaml"),
                SnakemakeIT.block(page, "```yaml\nexecutor")
                        .replaceFirst("^", "executor")
                        .replace("--on slurm", "--nodes 2 --idle 2s")
                        .replace("/home/me", folder.toString()));
        for (String script : List.of("#!/bin/sh\n", "#!/bin/sh -e\n")) {
            Path file = profile.resolve(script.contains("-e") ? "sidecar.sh" : "cancel.sh");
            Files.writeString(file, script + SnakemakeIT.block(page, "```\n" + script));
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        return List.of("--profile", "sheaf");
    }

    private Finished run(String snakefile, List<String> options) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Snakefile"), snakefile);
        List<String> words = new ArrayList<>(List.of(snakemake));
        words.addAll(options);
        return Finished.run(folder, environment, TIMEOUT_SECONDS, words);
    }

    private void assertSums(List<String> options) throws IOException, InterruptedException {
        Finished done = run(SUMS, options);
        assertThat(done.status()).as(done.err()).isZero();
        assertThat(folder.resolve("total.txt")).hasContent("35");
    }

    @Test
    void thePluginRunsAWorkflow() throws IOException, InterruptedException {
        assertSums(plugin("--nodes 2 --cores-per-node 2"));
        assertThat(folder.resolve(".sheaf")).isEmptyDirectory();
    }

    @Test
    void thePluginRunsAWorkflowOnSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2).nodesOf(2, 0))) {
            environment.putAll(slurm.environment());
            assertSums(plugin("--on slurm --queue-interval 5s"));
            interrupt(plugin("--on slurm --queue-interval 5s --idle 2s"));
            Await.until("no job is left", () -> slurm.query("squeue", "-h").isBlank());
        }
    }

    @Test
    void theProfileRunsAWorkflow() throws IOException, InterruptedException {
        List<String> profile = profile();
        Path config = folder.resolve(".config/snakemake/sheaf/config.v8+.yaml");
        Files.writeString(config, Files.readString(config).replace("--nodes 2", "--nodes 2 --cores-per-node 2"));
        assertSums(profile);
    }

    @Test
    void aFailedJobIsReportedWithItsLog() throws IOException, InterruptedException {
        Finished done = run("rule bad:\n    output: 'bad'\n    shell: 'echo oh >&2; exit 3'\n", plugin("--nodes 1"));
        assertThat(done.status()).isEqualTo(1);
        assertThat(done.err()).containsPattern("message: Sheaf task smk[0-9a-f]+ failed: exit status 1");
        List<String> logs = done.err()
                .lines()
                .filter(line -> line.endsWith(".err (check log file(s) for error details)"))
                .map(line -> line.replaceAll(".* (/.*\\.err) .*", "$1"))
                .toList();
        assertThat(logs).hasSize(1);
        assertThat(Path.of(logs.get(0))).content().contains("oh\n");
    }

    private void assertRefused(String queue, String message) throws IOException, InterruptedException {
        Finished done = run(SUMS, plugin(queue));
        assertThat(done.status()).isEqualTo(1);
        assertThat(done.err())
                .containsPattern("WorkflowError:\\s[^\\n]*\\Q" + message + "\\E")
                .doesNotContain("Traceback");
    }

    @Test
    void errorsOfSheafGiveOneWorkflowError() throws IOException, InterruptedException {
        assertRefused("--strategy glooom", "glooom");
        environment.put("SLURM_CONF", "/dev/null");
        assertRefused("--on slurm", "cannot reach the batch system");
        environment.put("SHEAF", "/nowhere/sheaf");
        assertRefused("", "SHEAF=/nowhere/sheaf: there is no such program");
        Path other = folder.resolve("other");
        Files.writeString(other, "#!/bin/sh\necho '{\"sheaf\": \"9.9\", \"protocol\": 9}'\ncat > /dev/null\n");
        assertThat(other.toFile().setExecutable(true)).isTrue();
        environment.put("SHEAF", other.toString());
        assertRefused("", "is Sheaf 9.9 with protocol 9, this package has protocol 1");
        assertThat(folder.resolve("total.txt")).doesNotExist();
    }

    /** Starts three jobs, and waits until two of them run. */
    private Process start(String seconds, List<String> options) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Snakefile"), SLOW.replace("SECONDS", seconds));
        // A test in the background inherits an ignored SIGINT.
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT", snakemake));
        words.addAll(options);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile());
        builder.environment().putAll(environment);
        Process started = builder.start();
        Await.until(
                () -> "two jobs run: " + Files.readString(folder.resolve("output.txt")),
                () -> Stream.of("mark-0", "mark-1", "mark-2")
                                .filter(mark -> Files.exists(folder.resolve(mark)))
                                .count()
                        >= 2);
        return started;
    }

    private int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private void interrupt(List<String> options) throws IOException, InterruptedException {
        Process started = start("237", options);
        signal("-INT", started);
        assertThat(end(started)).isNotZero();
        Await.until("no process is left", () -> running("").findAny().isEmpty());
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", name, String.valueOf(process.pid())).start().waitFor();
    }

    /** The live processes with this test's folder and a word in their arguments. */
    private Stream<ProcessHandle> running(String word) {
        return ProcessHandle.allProcesses().filter(each -> {
            String line = each.info().commandLine().orElse("");
            return line.contains(folder.toString()) && line.contains(word);
        });
    }

    @Test
    void anInterruptOfThePluginLeavesNothingBehind() throws IOException, InterruptedException {
        interrupt(plugin("--nodes 2 --idle 2s"));
        assertThat(folder.resolve(".sheaf")).isEmptyDirectory();
    }

    @Test
    void anInterruptOfTheProfileLeavesNothingBehind() throws IOException, InterruptedException {
        List<String> profile = profile();
        // The user's own task in the same queue.
        String own = sheaf("submit-task", "--nodes", "3", "--idle", "2s", "--", "sleep", "239");
        Process started = start("237", profile);
        signal("-INT", started);
        assertThat(end(started)).isNotZero();
        try (Stream<Path> tasks = Files.list(folder.resolve(".sheaf/queue/tasks"))) {
            for (Path task : tasks.toList()) {
                String state = task.endsWith(own) ? "running" : "failed it was cancelled";
                Await.until(() -> task + ": " + Files.readString(task), () -> Files.readString(task)
                        .startsWith(state));
            }
        }
        sheaf("task-cancel", own);
        Await.until("no process is left", () -> running("").findAny().isEmpty());
    }

    private String sheaf(String... words) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        all.addAll(List.of(words));
        Finished done = Finished.run(folder, environment, TIMEOUT_SECONDS, all);
        assertThat(done.status()).as(done.err()).isZero();
        return done.out().strip();
    }

    /** The sidecar of a Snakemake that was killed ends; its jobs continue. */
    @Test
    void theSidecarOfAKilledSnakemakeEnds() throws IOException, InterruptedException {
        Process started = start("5", profile());
        signal("-KILL", started);
        Await.until("no process is left", () -> running("").findAny().isEmpty());
        for (int i = 0; i < 3; i++) {
            assertThat(folder.resolve("slow-" + i + ".txt")).exists();
        }
    }

    @Test
    void aKilledManagerIsReplaced() throws IOException, InterruptedException {
        Process started = start("5", plugin("--nodes 2 --idle 2s"));
        running("--run-manager").findFirst().orElseThrow().destroyForcibly();
        assertThat(end(started))
                .as(Files.readString(folder.resolve("output.txt")))
                .isZero();
    }

    @Test
    void aLostConnectionEndsTheWorkflowAndItsJobs() throws IOException, InterruptedException {
        Process started = start("237", plugin("--nodes 2 --idle 2s"));
        running("task-stream").findFirst().orElseThrow().destroyForcibly();
        assertThat(end(started)).isEqualTo(1);
        assertThat(folder.resolve("output.txt"))
                .content()
                .contains("WorkflowError:\nThe connection to Sheaf is lost: sheaf task-stream ended with status -9.");
        Await.until("no process is left", () -> running("").findAny().isEmpty());
    }
}
