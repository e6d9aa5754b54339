package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.DebianPackages;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Snakemake with Sheaf in place of a batch system, on a Snakefile of three rules and 60 jobs. */
@Tag("slow")
class SnakemakeIT {
    private static final int TIMEOUT_SECONDS = 1_200;

    /** 30 numbers, 29 sums of neighbours, and their sum: 2 (1 + … + 29) + 29. */
    private static final String SNAKEFILE = """
            localrules: all

            rule all:
                input: "total.txt"

            rule number:
                output: "n/{i}.txt"
                resources: runtime=1
                shell: "echo {wildcards.i} > {output}"

            rule pair:
                input: lambda w: ["n/%s.txt" % w.i, "n/%d.txt" % (int(w.i) + 1)]
                output: "p/{i}.txt"
                resources: runtime=1
                shell: "cat {input} | awk '{{s += $1}} END {{print s}}' > {output}"

            rule total:
                input: expand("p/{i}.txt", i=range(1, 30))
                output: "total.txt"
                resources: runtime=1
                shell: "cat {input} | awk '{{s += $1}} END {{print s}}' > {output}"
            """;

    private static final String TOTAL = "899\n";

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void files() throws IOException {
        DebianPackages.require("snakemake", "snakemake");
        Files.writeString(folder.resolve("Snakefile"), SNAKEFILE);
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", folder.toString());
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    /** Ends all manager processes. */
    @AfterEach
    void end() {
        managers().forEach(ProcessHandle::destroy);
    }

    private Stream<ProcessHandle> managers() {
        return ProcessHandle.allProcesses().filter(process -> {
            String line = process.info().commandLine().orElse("");
            return line.contains("--run-manager") && line.contains(folder.toString());
        });
    }

    private Finished snakemake(String... options) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("snakemake"));
        line.addAll(List.of(options));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    private static String submit(String... options) {
        return RealRun.BUILT
                + " submit-task --idle 10s --cores {threads} --time {resources.runtime}m --category {rule} "
                + String.join(" ", options) + " --after {dependencies} --";
    }

    /**
     * Checks the result and the number of submitted tasks, which include rule 'all' if Snakemake runs no rule itself.
     */
    private void assertTotal(int submitted) throws IOException, InterruptedException {
        Path total = folder.resolve("total.txt");
        Await.until("the total exists", () -> Files.exists(total) && Files.size(total) > 0);
        Path log = folder.resolve(".sheaf/queue/run/manager.log");
        assertThat(total).as(Files.readString(log)).hasContent(TOTAL.strip());
        try (Stream<Path> tasks = Files.list(folder.resolve(".sheaf/queue/tasks"))) {
            assertThat(tasks).hasSize(submitted);
        }
    }

    /** Snakemake waits for each job and queries its status. */
    @Test
    void snakemakeSubmitsJobByJobToTheEmbeddedCluster() throws IOException, InterruptedException {
        Finished done = snakemake(
                "--jobs",
                "60",
                "--latency-wait",
                "60",
                "--cluster",
                submit("--nodes", "4"),
                "--cluster-status",
                RealRun.BUILT + " task-status");
        assertThat(done.status()).as(done.err()).isZero();
        assertTotal(60);
    }

    /** Installs the profile of the documentation, for two nodes of this machine, and the command that it names. */
    private void profile() throws IOException {
        profile("--nodes 2");
    }

    private void profile(String cluster) throws IOException {
        String page = Files.readString(Path.of("..", "docs", "how-to", "bring-a-snakemake-workflow.md"));
        Path profile = Files.createDirectories(folder.resolve(".config/snakemake/sheaf"));
        Files.writeString(
                profile.resolve("config.yaml"), block(page, "```yaml\n").replace("--on slurm", cluster));
        Path cancel = Files.writeString(
                profile.resolve("cancel.sh"), block(page, "```\n#!").replaceFirst("^", "#!"));
        assertThat(cancel.toFile().setExecutable(true)).isTrue();
        Path commands = Files.createDirectories(folder.resolve("bin"));
        Path command = Files.writeString(commands.resolve("sheaf"), "#!/bin/sh\nexec " + RealRun.BUILT + " \"$@\"\n");
        assertThat(command.toFile().setExecutable(true)).isTrue();
        environment.put("PATH", commands + ":" + System.getenv("PATH"));
    }

    /** The rest of the code block of a page after a text. */
    static String block(String page, String text) {
        int from = page.indexOf(text) + text.length();
        return page.substring(from, page.indexOf("```", from));
    }

    @Test
    void errorsOfSheafMakeSnakemakeFail() throws IOException, InterruptedException {
        profile();
        Path queue = Files.createDirectories(folder.resolve(".sheaf/queue/run"));
        Files.writeString(queue.resolve("run.json"), "{\"version\":99}\n");
        Finished newer = snakemake("--profile", "sheaf");
        assertThat(newer.status()).isEqualTo(1);
        assertThat(newer.err())
                .contains("a run of version 99; this Sheaf reads versions up to ")
                .contains("Error submitting jobscript (exit code 3)");
        profile("--on slurm --queue other");
        environment.put("SLURM_CONF", "/dev/null");
        Finished unreachable = snakemake("--profile", "sheaf", "n/1.txt");
        assertThat(unreachable.status()).isEqualTo(1);
        assertThat(unreachable.err())
                .containsOnlyOnce("cannot reach the batch system")
                .contains("Error submitting jobscript (exit code 4)");
        Files.delete(folder.resolve("bin/sheaf"));
        Finished missing = snakemake("--profile", "sheaf");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.err()).contains("sheaf: not found", "Error submitting jobscript (exit code 127)");
    }

    /** Starts three jobs with the profile, and waits until they are submitted and two of them run. */
    private Process start(String seconds) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Snakefile"), """
                rule all:
                    input: expand("slow-{i}.txt", i=range(3))

                rule slow:
                    output: "slow-{i}.txt"
                    resources: runtime=1
                    shell: "touch mark-{wildcards.i}; sleep SECONDS; touch {output}"
                """.replace("SECONDS", seconds));
        Path output = folder.resolve("output.txt");
        profile();
        // A test in the background inherits an ignored SIGINT.
        ProcessBuilder builder = new ProcessBuilder("env", "--default-signal=INT", "snakemake", "--profile", "sheaf")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process snakemake = builder.start();
        Await.until("three jobs are submitted, and two of them run", () -> {
            long running = Stream.of("mark-0", "mark-1", "mark-2")
                    .filter(mark -> Files.exists(folder.resolve(mark)))
                    .count();
            return running >= 2 && Files.readString(output).split("Submitted job ", -1).length == 4;
        });
        return snakemake;
    }

    /** Snakemake cancels all tasks that it has submitted. */
    @Test
    void anInterruptCancelsAllSubmittedTasks() throws IOException, InterruptedException {
        Process snakemake = start("300");
        new ProcessBuilder("kill", "-INT", String.valueOf(snakemake.pid()))
                .start()
                .waitFor();
        assertThat(snakemake.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(snakemake.exitValue()).isNotZero();
        try (Stream<Path> tasks = Files.list(folder.resolve(".sheaf/queue/tasks"))) {
            for (Path task : tasks.toList()) {
                Await.until(
                        "the task is cancelled", () -> Files.readString(task).startsWith("failed it was cancelled"));
            }
        }
    }

    @Test
    void aKilledManagerIsReplaced() throws IOException, InterruptedException {
        Process snakemake = start("8");
        managers().findFirst().orElseThrow().destroyForcibly();
        assertThat(snakemake.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(snakemake.exitValue())
                .as(Files.readString(folder.resolve("output.txt")))
                .isZero();
    }

    /** Few pilot jobs run the tasks of the whole DAG. */
    @Test
    void snakemakeSubmitsTheWholeDagAtOnceToSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(4))) {
            environment.putAll(slurm.environment());
            Finished done = snakemake(
                    "--jobs",
                    "1000",
                    "--immediate-submit",
                    "--notemp",
                    "--default-resources",
                    "runtime=1",
                    "--cluster",
                    submit("--on", "slurm", "--queue-interval", "5s", "--gather", "20s"));
            assertThat(done.status()).as(done.err()).isZero();
            assertTotal(61);
            String output = Files.readString(folder.resolve(".sheaf/queue/run/manager.log"));
            assertThat(output.lines()
                            .filter(line -> line.contains(" submitted for "))
                            .count())
                    .as("jobs for 60 tasks: %s", output)
                    .isLessThan(10);
        }
    }

    /**
     * Six jobs of twelve seconds and their sum on two nodes, submitted by Snakemake, while Sheaf watches and submits
     * nothing.
     */
    @Test
    void aShadowRunAndServiceWatchSnakemake() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("Snakefile"), """
                rule total:
                    input: expand("n/{i}.txt", i=range(1, 7))
                    output: "total.txt"
                    resources: runtime=2, mem_mb=100
                    shell: "sleep 12; cat {input} > {output}"

                rule number:
                    output: "n/{i}.txt"
                    resources: runtime=2, mem_mb=100
                    shell: "sleep 12; echo {wildcards.i} > {output}"
                """);
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2))) {
            environment.putAll(slurm.environment());
            sheaf("import", "snakemake", "-o", "numbers.yaml");
            Process shadow = launch(
                    "shadow", "run", "numbers.yaml", "--on", "slurm", "--shadow", "snakejob.", "--run-dir", "one");
            Process service = launch("service", "serve", "--on", "slurm", "--shadow", "snakejob.", "--state", "many");
            try {
                Await.until("the shadow watches", () -> Files.exists(folder.resolve("one/watched")));
                Await.until("the service watches", () -> Files.exists(folder.resolve("many/shadow")));
                sheaf("submit", "numbers.yaml", "--to", "many");
                sheaf("serve", "drain", "--state", "many");
                Finished done =
                        snakemake("--jobs", "10", "--latency-wait", "30", "--cluster", "sbatch -N 1 -t 2 -o /dev/null");
                assertThat(done.status()).as(done.err()).isZero();
                assertShadowed(shadow, "shadow");
                assertShadowed(service, "service");
            } finally {
                shadow.destroy();
                service.destroy();
            }
            assertThat(slurm.query("scontrol", "-o", "show", "jobs")).doesNotContain("JobName=sheaf");
            // Decisions were made and recorded while Snakemake ran: before the last job ended.
            long ended = Files.getLastModifiedTime(folder.resolve("total.txt")).toMillis();
            List<String> orders = Files.readAllLines(folder.resolve("one/decisions"));
            assertThat(orders.get(0)).matches("predicted [0-9]+");
            assertThat(orders.subList(1, orders.size()))
                    .isNotEmpty()
                    .anyMatch(line -> Long.parseLong(line.substring(0, line.indexOf(' '))) < ended);
            assertThat(folder.resolve("shadow.err")).content().contains("auto would submit a job of ");
        }
    }

    @Test
    void aShadowRunSimulatesAnotherStrategy() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("w.yaml"), """
                name: w
                tasks:
                  number: {foreach: {i: 1..6}, out: "n.{i}", time: 20s, run: 'sleep 12; echo {i} > n.{i}'}
                  total: {in: [n.1, n.2, n.3, n.4, n.5, n.6], out: total.txt, time: 20s, run: 'cat n.* > total.txt'}
                """);
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2))) {
            environment.putAll(slurm.environment());
            Process run =
                    launch("run", "run", "w.yaml", "--on", "slurm", "--strategy", "levelbylevel", "--run-dir", "first");
            Await.until("the run exists", () -> Files.exists(folder.resolve("first/run.json")));
            Process shadow = launch(
                    "shadow",
                    "run",
                    "w.yaml",
                    "--on",
                    "slurm",
                    "--shadow",
                    "first",
                    "--run-dir",
                    "second",
                    "--strategy",
                    "onejob");
            try {
                assertThat(run.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(run.exitValue()).isZero();
                assertShadowed(shadow, "shadow");
            } finally {
                run.destroy();
                shadow.destroy();
            }
            // Level by level: a job for each level; one job otherwise, with the measured times of the tasks.
            assertThat(folder.resolve("shadow.json"))
                    .content()
                    .containsPattern("\"measured\" : \\{\\s+\"makespanSeconds\" : [0-9.]+,\\s+\"jobs\" : 2,")
                    .containsPattern(
                            "\"simulated\" : \\{\\s+\"completed\" : true,\\s+\"makespanSeconds\" : [3-9][0-9]\\.[0-9]+,\\s+\"jobs\" : 1,");
        }
    }

    private void sheaf(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        Finished done = Finished.run(folder, environment, TIMEOUT_SECONDS, line);
        assertThat(done.status()).as(done.err()).isZero();
    }

    /** Starts the command with output in two files. */
    private Process launch(String files, String... words) throws IOException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        line.add("--json");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve(files + ".json").toFile())
                .redirectError(folder.resolve(files + ".err").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private void assertShadowed(Process process, String files) throws IOException, InterruptedException {
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).as(files).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve(files + ".err")))
                .isZero();
        assertThat(folder.resolve(files + ".json"))
                .content()
                .contains("\"completed\" : true", "\"walltimeSeconds\"", "\"predictedMakespanSeconds\"")
                .containsPattern("\"forecast\" : \\{\\s+\"jobs\" : [0-9]")
                .containsPattern("\"decided\" : \\{\\s+\"jobs\" : [1-9]");
    }

    @Test
    void aSnakefileIsImported() throws IOException, InterruptedException {
        Finished done = Finished.run(
                folder,
                environment,
                TIMEOUT_SECONDS,
                List.of(RealRun.BUILT.toString(), "import", "snakemake", "-o", "numbers.yaml", "--json"));
        assertThat(done.status()).as(done.err()).isZero();
        assertThat(done.out()).containsPattern("\"tasks\" : 61\\b").containsPattern("\"levels\" : 4\\b");
        assertThat(folder.resolve("total.txt")).doesNotExist();
        assertThat(Files.readString(folder.resolve("numbers.yaml"))).contains("number-", "pair-", "total-");
    }
}
