package io.sheaf.nextflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import groovy.json.JsonSlurper;
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
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests pipelines of the real Nextflow with the plug-in and the built command, on the embedded cluster and on a real
 * Slurm.
 */
@Tag("slow")
class NextflowIT {
    private static final int PATIENCE_SECONDS = 300;
    private static final Path BUILT =
            Path.of("../app/target/sheaf").toAbsolutePath().normalize();
    private static final String EMBEDDED = "nodes = 2; coresPerNode = 2; managerIdle = '2s'";
    private static final String SLURM = "on = 'slurm'; queueInterval = '2s'; managerIdle = '2s'";

    /** Six tasks convert a word to capitals each, and a seventh sorts the words. */
    private static final String WORDS = """
            process CAPITALS {
              cpus 1; memory '10 MB'; time '5m'; maxForks 4
              input: val word
              output: path 'word.txt'
              script: "echo $word | tr a-z A-Z > word.txt"
            }
            process SORT {
              publishDir 'out', mode: 'copy'
              input: path('word*.txt')
              output: path 'sorted.txt'
              script: "cat word*.txt | sort > sorted.txt"
            }
            workflow { CAPITALS(Channel.of('pear', 'fig', 'apple', 'quince', 'plum', 'cherry')) | collect | SORT }
            """;

    /** A task for each kind of failure, and an array of tasks. */
    private static final String FAILURES = """
            process RETRIED { errorStrategy 'retry'; maxRetries 2
              script: "[ $task.attempt -ge 2 ] || exit 7" }
            process IGNORED { errorStrategy 'ignore'
              script: "echo bad >&2; exit 9" }
            process LIMITED { time '2s'; errorStrategy 'ignore'
              script: "sleep 100" }
            process LARGE { disk '999 TB'; errorStrategy 'ignore'
              script: "true" }
            process ARRAY { array 3
              input: val number
              script: "exit \\$(( $number == 4 ? 0 : 0 ))" }
            workflow { RETRIED(); IGNORED(); LIMITED(); LARGE(); ARRAY(Channel.of(1..4)) }
            """;

    /** A process for each directive; its task fails or writes a wrong line if the directive is not applied. */
    private static final String DIRECTIVES = """
            process FORKS { maxForks 1
              input: val number
              script: "mkdir $projectDir/lock; sleep 0.5; rmdir $projectDir/lock" }
            process MODULE { module 'tool/1.0'
              output: stdout
              script: 'echo module' }
            process CONDA { conda "$projectDir/prefix"
              output: stdout
              script: 'echo conda $ACTIVATED' }
            process CONTAINER { container 'an/image'
              output: stdout
              script: 'echo container $CONTAINED' }
            process GPU { accelerator 1
              output: stdout
              script: 'echo gpu $SHEAF_GPUS' }
            process DISK { disk '1 MB'
              output: stdout
              script: 'echo disk' }
            workflow {
              FORKS(Channel.of(1..3))
              MODULE().mix(CONDA(), CONTAINER(), GPU(), DISK()).map { it.trim() }.view()
            }
            """;

    /** Three tasks that each write a file and then wait. */
    private static final String LONG = """
            process LONG {
              input: val number
              script: "touch $projectDir/started.$number; sleep 237"
            }
            workflow { LONG(Channel.of(1..3)) }
            """;

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void installThePlugin() throws IOException {
        Path plugin = folder.resolve("plugins/nf-sheaf-0.1.0/classes");
        try (Stream<Path> files = Files.walk(Path.of("target/classes"))) {
            for (Path each : files.toList()) {
                Path copy = plugin.resolve(
                        Path.of("target/classes").relativize(each).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(each, copy);
            }
        }
        environment.put("NXF_PLUGINS_DIR", folder.resolve("plugins").toString());
        environment.put("NXF_HOME", folder.resolve("home").toString());
        environment.put("NXF_OFFLINE", "true");
        environment.put("NXF_ANSI_LOG", "false");
        environment.put("SHEAF", BUILT.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    private List<String> command(String pipeline, String cluster, String... arguments) throws IOException {
        Files.writeString(folder.resolve("main.nf"), pipeline);
        Files.writeString(
                folder.resolve("nextflow.config"),
                "plugins { id 'nf-sheaf@0.1.0' }\nprocess.executor = 'sheaf'\nsheaf { " + cluster + " }\n");
        List<String> words = new ArrayList<>(List.of(
                Path.of("../tools/nextflow").toAbsolutePath().normalize().toString()));
        words.addAll(List.of("run", "main.nf", "-with-trace", "trace.txt"));
        words.addAll(List.of(arguments));
        return words;
    }

    private Finished run(String pipeline, String cluster, String... arguments)
            throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve("trace.txt"));
        return Finished.run(folder, environment, PATIENCE_SECONDS, command(pipeline, cluster, arguments));
    }

    /** The columns name, status and exit of the trace, sorted. */
    private List<String> trace() throws IOException {
        List<String> rows = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("trace.txt"))) {
            String[] columns = line.split("\t", -1);
            if (!columns[0].equals("task_id")) {
                rows.add(String.join(" ", columns[3], columns[4], columns[5]));
            }
        }
        rows.sort(null);
        return rows;
    }

    private void assertWordsAndResume(String cluster) throws IOException, InterruptedException {
        Finished first = run(WORDS, cluster, "-with-report", "report.html");
        assertThat(first.status()).as(first.out() + first.err()).isZero();
        assertThat(folder.resolve("out/sorted.txt")).hasContent("APPLE\nCHERRY\nFIG\nPEAR\nPLUM\nQUINCE");
        assertThat(trace()).hasSize(7).contains("SORT COMPLETED 0", "CAPITALS (3) COMPLETED 0");
        assertThat(folder.resolve("trace.txt")).content().contains("\tnf-");
        assertThat(folder.resolve("report.html")).content().contains("CAPITALS");
        Finished second = run(WORDS, cluster, "-resume");
        assertThat(second.status()).as(second.out() + second.err()).isZero();
        assertThat(trace()).hasSize(7).contains("SORT CACHED 0", "CAPITALS (3) CACHED 0");
    }

    private void assertFailures(String cluster) throws IOException, InterruptedException {
        Finished done = run(FAILURES, cluster);
        assertThat(done.status()).as(done.out() + done.err()).isZero();
        assertThat(trace())
                .containsExactly(
                        "ARRAY (1) COMPLETED 0",
                        "ARRAY (2) COMPLETED 0",
                        "ARRAY (3) COMPLETED 0",
                        "ARRAY (4) COMPLETED 0",
                        "IGNORED FAILED 9",
                        "LARGE FAILED 28",
                        "LIMITED FAILED 143",
                        "RETRIED COMPLETED 0",
                        "RETRIED FAILED 7");
    }

    @Test
    void aPipelineRunsAndResumesOnTheEmbeddedCluster() throws IOException, InterruptedException {
        assertWordsAndResume(EMBEDDED);
    }

    /** The second run has learned from the first that a task of SORT follows CAPITALS. */
    @Test
    void theNextRunExpectsLaterProcesses() throws IOException, InterruptedException {
        String slow = WORDS.replace("echo $word", "sleep 1; echo $word").replace("cat word", "sleep 1; cat word");
        for (int number = 1; number <= 2; number++) {
            Finished done = run(slow, EMBEDDED);
            assertThat(done.status()).as(done.out() + done.err()).isZero();
            Object learned = new JsonSlurper()
                    .parse(folder.resolve("work/.sheaf/main.nf.json").toFile());
            assertThat(learned).asInstanceOf(MAP).containsOnlyKeys("CAPITALS", "SORT");
            assertThat(learned.toString()).contains("tasks=6").contains("tasks=1");
            try (Stream<Path> files =
                    Files.find(folder.resolve("work/.sheaf"), 4, (file, as) -> file.endsWith("expected"))) {
                assertThat(files).as("in run " + number).hasSize(number - 1);
            }
        }
    }

    @Test
    void taskFailuresAreReportedInTheTrace() throws IOException, InterruptedException {
        assertFailures(EMBEDDED);
    }

    private void writeProgram(String name, String script) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** The programs that Nextflow calls for modules, environments and containers are small scripts here. */
    @Test
    void directivesAreApplied() throws IOException, InterruptedException {
        writeProgram("bin/module", "#!/bin/sh\necho \"$@\" >> " + folder + "/modules\n");
        writeProgram("bin/conda", "#!/bin/sh\necho '  \"conda_prefix\": \"" + folder + "/conda\",'\n");
        writeProgram("conda/bin/activate", "export ACTIVATED=${1##*/}\n");
        Files.createDirectories(folder.resolve("prefix"));
        writeProgram("bin/podman", """
                #!/bin/bash
                [ "$1" = run ] || exit 0
                while [ "$1" != an/image ]; do shift; done
                shift
                export CONTAINED=an/image
                exec "$@"
                """);
        environment.put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        Finished done = run(
                DIRECTIVES,
                EMBEDDED + "; gpusPerNode = 1 }\npodman.enabled = true; conda.enabled = true\nprocess { debug = false");
        assertThat(done.status()).as(done.out() + done.err()).isZero();
        assertThat(done.out())
                .contains("module", "conda prefix", "container an/image", "gpu 0", "disk")
                .doesNotContain("failed");
        assertThat(folder.resolve("modules")).content().contains("load tool/1.0");
    }

    @Test
    void aPipelineRunsAndResumesOnSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2).nodesOf(2, 0))) {
            environment.putAll(slurm.environment());
            assertWordsAndResume(SLURM);
            assertFailures(SLURM);
            Finished refused = run(WORDS.replace("cpus 1;", "queue 'night';"), SLURM);
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.out()).containsOnlyOnce("night");
        }
    }

    @Test
    void anInterruptOnSlurmLeavesNoJobInTheQueue() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2).nodesOf(2, 0))) {
            environment.putAll(slurm.environment());
            interrupt(SLURM);
            await(() -> slurm.query("squeue", "-h").isBlank());
        }
    }

    // --- interruption ---

    /** Ctrl-C cancels all tasks: the terminal sends SIGINT to every process of the group. */
    private void interrupt(String cluster) throws IOException, InterruptedException {
        Process nextflow = start(cluster);
        String group = String.valueOf(nextflow.pid());
        new ProcessBuilder("kill", "-INT", "--", "-" + group)
                .inheritIO()
                .start()
                .waitFor();
        assertThat(nextflow.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(nextflow.exitValue()).isNotZero();
        assertThat(trace()).hasSize(3).allMatch(row -> row.contains(" ABORTED "));
        assertNoTaskRuns();
    }

    /** The manager ends after a time without work. */
    private void assertNoTaskRuns() {
        await(() -> ProcessHandle.allProcesses()
                .noneMatch(each -> each.info().commandLine().orElse("").contains(folder.toString())));
    }

    private Process start(String cluster) throws IOException {
        for (int i = 1; i <= 3; i++) {
            Files.deleteIfExists(folder.resolve("started." + i));
        }
        Files.deleteIfExists(folder.resolve("trace.txt"));
        // A test in the background inherits an ignored SIGINT, which Java leaves ignored.
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT", "setsid"));
        words.addAll(command(LONG, cluster));
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out.txt").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        await(() -> Files.exists(folder.resolve("started.1")) && Files.exists(folder.resolve("started.2")));
        return process;
    }

    private static void await(BooleanSupplier condition) {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS / 3);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the condition holds in time").isLessThan(until);
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void anInterruptLeavesNoProcesses() throws IOException, InterruptedException {
        interrupt(EMBEDDED);
    }

    /** The process whose command line contains all these words. */
    private static ProcessHandle process(String... words) {
        return ProcessHandle.allProcesses()
                .filter(each ->
                        Stream.of(words).allMatch(each.info().commandLine().orElse("")::contains))
                .filter(each -> !each.info().command().orElse("").endsWith("sh"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tasksSurviveTheManagersDeath() throws IOException, InterruptedException {
        String pipeline = LONG.replace("sleep 237", "for i in 1 2 3 4 5 6 7 8; do sleep 1; done");
        List<String> words = command(pipeline, EMBEDDED);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out.txt").toFile());
        builder.environment().putAll(environment);
        Process nextflow = builder.start();
        await(() -> Files.exists(folder.resolve("started.1")));
        process("--run-manager", folder.toString()).destroyForcibly();
        assertThat(nextflow.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(nextflow.exitValue())
                .as(Files.readString(folder.resolve("out.txt")))
                .isZero();
        assertThat(trace()).hasSize(3).allMatch(row -> row.contains(" COMPLETED 0"));
    }

    @Test
    void aLostConnectionIsOneErrorAndLeavesNoProcesses() throws IOException, InterruptedException {
        Process nextflow = start(EMBEDDED);
        process("task-stream", folder.toString()).destroyForcibly();
        assertThat(nextflow.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(nextflow.exitValue()).isNotZero();
        assertThat(folder.resolve("out.txt")).content().containsOnlyOnce("continue with -resume");
        assertNoTaskRuns();
    }

    // --- refused pipelines ---

    private void assertRefused(String pipeline, String cluster, String message)
            throws IOException, InterruptedException {
        Finished done = run(pipeline, cluster);
        assertThat(done.status()).as(done.out() + done.err()).isEqualTo(1);
        assertThat(done.out() + done.err()).containsOnlyOnce(message);
    }

    @Test
    void aMissingCommandIsReported() throws IOException, InterruptedException {
        environment.remove("SHEAF");
        environment.remove("NXF_HOME");
        environment.put("HOME", folder.toString());
        assertRefused(WORDS, "command = '/nowhere/sheaf'", "the command '/nowhere/sheaf' cannot be run; install Sheaf");
    }

    @Test
    void anIncompatibleVersionIsReported() throws IOException, InterruptedException {
        Path other = folder.resolve("other");
        Files.writeString(other, "#!/bin/sh\necho '{\"sheaf\": \"9.9\", \"protocol\": 9}'\ncat > /dev/null\n");
        assertThat(other.toFile().setExecutable(true)).isTrue();
        assertRefused(WORDS, "command = '" + other + "'", "is Sheaf 9.9 with protocol 9, nf-sheaf has protocol 1");
        Files.writeString(other, "#!/bin/sh\necho 'sheaf: unknown command task-stream' >&2\nexit 2\n");
        assertRefused(WORDS, "command = '" + other + "'", "sheaf: unknown command task-stream");
    }

    @Test
    void anUnreachableClusterIsReported() throws IOException, InterruptedException {
        environment.put("SLURM_CONF", "/dev/null");
        assertRefused(WORDS, "on = 'slurm'", "sheaf: ");
    }

    @Test
    void unsupportedSettingsAndDirectivesAreRefused() throws IOException, InterruptedException {
        assertRefused(WORDS, "nods = 3", "unknown setting 'sheaf.nods'");
        assertRefused(WORDS, "strategy = 'fastest'", "fastest");
        assertRefused(
                WORDS.replace("cpus 1;", "clusterOptions '--exclusive';"),
                EMBEDDED,
                "clusterOptions has '--exclusive'");
        assertRefused(WORDS.replace("cpus 1;", "accelerator 1, type: 'v100';"), EMBEDDED, "accelerator type 'v100'");
        assertRefused(
                WORDS.replace("cpus 1;", "cpus 99;"),
                EMBEDDED,
                "the task needs 99 cores on a node; the largest node has 2");
        assertRefused(WORDS.replace("cpus 1;", "queue 'night';"), EMBEDDED, "'--partition' can only be used with");
        assertRefused(WORDS.replace("cpus 1;", "accelerator 1;"), EMBEDDED, "GPU");
    }
}
