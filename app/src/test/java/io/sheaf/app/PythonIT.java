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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The tests of the Python package, with the system's Python and the built command. */
@Execution(ExecutionMode.CONCURRENT)
class PythonIT {
    private static final int TIMEOUT_SECONDS = 600;
    private static final String PYTHON = "/usr/bin/python3";
    private static final Path PACKAGE = Path.of("..", "python").toAbsolutePath().normalize();

    private static final String CWL = """
            cwlVersion: v1.2
            class: Workflow
            requirements: {ScatterFeatureRequirement: {}, ResourceRequirement: {ramMin: 200}}
            inputs: {words: "string[]"}
            outputs: {sorted: {type: File, outputSource: sort/out}}
            steps:
              capitals:
                scatter: word
                in: {word: words}
                out: [out]
                run:
                  class: CommandLineTool
                  baseCommand: [sh, -c, 'echo "$0" | tr a-z A-Z']
                  inputs: {word: {type: string, inputBinding: {position: 1}}}
                  stdout: capitals.txt
                  outputs: {out: stdout}
              sort:
                in: {files: capitals/out}
                out: [out]
                run:
                  class: CommandLineTool
                  baseCommand: [sort]
                  inputs: {files: {type: "File[]", inputBinding: {position: 1}}}
                  stdout: sorted.txt
                  outputs: {out: stdout}
            """;

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();
    private int stores;

    @BeforeEach
    void prepare() {
        DebianPackages.require("python3", "python3");
        environment.put("SHEAF", RealRun.BUILT.toString());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", folder.toString());
        environment.put("TMPDIR", folder.toString());
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
    }

    private void runTests(String... names) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(PYTHON, "-W", "error", "-m", "unittest", "-v"));
        words.addAll(List.of(names));
        Finished finished = Finished.run(PACKAGE, environment, TIMEOUT_SECONDS, words);
        assertThat(finished.status()).as(finished.err()).isZero();
        assertThat(finished.err()).containsPattern("Ran [1-9][0-9]* tests?").doesNotContain("skipped");
    }

    @Test
    void executorTestsPassOnTheEmbeddedCluster() throws IOException, InterruptedException {
        runTests("tests.test_executor.WorkerTest", "tests.test_executor.ExecutorTest");
    }

    @Test
    void executorLifecycleTestsPass() throws IOException, InterruptedException {
        runTests("tests.test_executor.LifeTest");
    }

    @Test
    @Tag("slow")
    void executorTestsPassOnSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2).nodesOf(2, 0))) {
            environment.putAll(slurm.environment());
            environment.put("SHEAF_TEST_CLUSTER", "{\"on\": \"slurm\", \"queue_interval\": \"5s\"}");
            runTests("tests.test_executor.ExecutorTest");
        }
    }

    @Test
    @Tag("slow")
    void clientTestsPass() throws IOException, InterruptedException {
        runTests("tests.test_client");
    }

    /**
     * Tests the plug-in of Snakemake 8 with mock modules of Snakemake. SnakemakePluginIT uses the real ones where they
     * are available.
     */
    @Test
    @Tag("slow")
    void snakemakePluginTestsPass() throws IOException, InterruptedException {
        runTests("tests.test_snakemake_plugin");
    }

    @Test
    @Tag("slow")
    void toilRunsCwlOnTheEmbeddedCluster() throws IOException, InterruptedException {
        assertCwl("--nodes 2 --cores-per-node 2");
    }

    @Test
    @Tag("slow")
    void toilRunsCwlOnSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2).nodesOf(2, 0))) {
            environment.putAll(slurm.environment());
            assertCwl("--on slurm --queue-interval 5s");
        }
    }

    /** Three jobs convert a word each to capitals, and a fourth sorts the words. */
    private void assertCwl(String queue) throws IOException, InterruptedException {
        environment.put("TOIL_SHEAF_ARGS", queue);
        Finished finished = toil();
        assertThat(finished.status()).as(finished.err()).isZero();
        assertThat(folder.resolve("out/sorted.txt")).hasContent("APPLE\nFIG\nPEAR");
        assertThat(folder.resolve(".sheaf")).isEmptyDirectory();
    }

    private Finished toil() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("capitals.cwl"), CWL);
        Files.writeString(folder.resolve("words.yaml"), "words: [pear, apple, fig]\n");
        return Finished.run(folder, environment, TIMEOUT_SECONDS, toil("capitals.cwl", "words.yaml"));
    }

    private List<String> toil(String... arguments) {
        DebianPackages.require("toil-cwl-runner", "toil", "cwltool");
        environment.put("PYTHONPATH", PACKAGE.toString());
        String line = "-m toil_batch_system_sheaf toil-cwl-runner --batchSystem sheaf --outdir out --jobStore store"
                + ++stores + " --workDir " + folder;
        List<String> words = new ArrayList<>(List.of(PYTHON));
        words.addAll(List.of(line.split(" ")));
        words.addAll(List.of(arguments));
        return words;
    }

    private void assertToilFails(String message) throws IOException, InterruptedException {
        Finished finished = toil();
        assertThat(finished.status()).isEqualTo(1);
        assertThat(finished.err())
                .contains("toil_batch_system_sheaf: ")
                .contains(message)
                .doesNotContain("Traceback");
    }

    @Test
    @Tag("slow")
    void toilReportsSetupErrorsWithoutATraceback() throws IOException, InterruptedException {
        environment.put("SHEAF", "/nowhere/sheaf");
        assertToilFails("SHEAF=/nowhere/sheaf: there is no such program\n");
        Path other = folder.resolve("other");
        Files.writeString(other, "#!/bin/sh\necho '{\"sheaf\": \"9.9\", \"protocol\": 9}'\ncat > /dev/null\n");
        assertThat(other.toFile().setExecutable(true)).isTrue();
        environment.put("SHEAF", other.toString());
        assertToilFails("is Sheaf 9.9 with protocol 9, this package has protocol 1");
        environment.put("SHEAF", RealRun.BUILT.toString());
        environment.put("TOIL_SHEAF_ARGS", "--on slurm");
        environment.put("SLURM_CONF", "/dev/null");
        assertToilFails("cannot reach the batch system");
    }

    /** The manager of the queue is killed, then Toil is interrupted, and then its connection is lost. */
    @Test
    @Tag("slow")
    void toilHandlesKilledManagersInterruptsAndLostConnections() throws IOException, InterruptedException {
        environment.put("TOIL_SHEAF_ARGS", "--nodes 1");
        Process first = startToil("10");
        processes("--run-manager").findFirst().orElseThrow().destroyForcibly();
        assertThat(first.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(first.exitValue())
                .as(Files.readString(folder.resolve("toil.err")))
                .isZero();
        Process second = startToil("300");
        new ProcessBuilder("kill", "-INT", String.valueOf(second.pid())).start().waitFor();
        assertThat(second.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isNotZero();
        assertThat(folder.resolve(".sheaf")).isEmptyDirectory();
        Await.until("no process remains", () -> processes("").findAny().isEmpty());
        Process third = startToil("299");
        processes("task-stream").findFirst().orElseThrow().destroyForcibly();
        assertThat(third.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(third.exitValue()).isEqualTo(1);
        assertThat(folder.resolve("toil.err"))
                .content()
                .contains("toil_batch_system_sheaf: sheaf task-stream ended with status -9");
        Await.until("no process remains", () -> processes("").findAny().isEmpty());
    }

    /** Starts a job that sleeps, and waits until it runs. */
    private Process startToil(String seconds) throws IOException, InterruptedException {
        Path mark = folder.resolve("mark" + seconds);
        Files.writeString(
                folder.resolve("sleep.cwl"),
                "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [sh, -c, 'touch " + mark + "; sleep " + seconds
                        + "']\ninputs: []\noutputs: []\n");
        // A background process inherits an ignored SIGINT.
        List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT"));
        words.addAll(toil("sleep.cwl"));
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectOutput(folder.resolve("toil.out").toFile())
                .redirectError(folder.resolve("toil.err").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        Await.until("the job runs", () -> Files.exists(mark));
        return process;
    }

    /** The live processes that have the folder of this test and a word in their arguments. */
    private Stream<ProcessHandle> processes(String word) {
        return ProcessHandle.allProcesses().filter(each -> {
            String line = each.info().commandLine().orElse("");
            return line.contains(folder.toString()) && line.contains(word);
        });
    }

    /** Python can import from the wheel, and the same sources give the same file. */
    @Test
    void theWheelIsReproducibleAndImportable() throws IOException, InterruptedException {
        for (String each : List.of("a", "b")) {
            Finished built = Finished.run(
                    PACKAGE,
                    environment,
                    TIMEOUT_SECONDS,
                    List.of("../package", "python", folder.resolve(each).toString()));
            assertThat(built.status()).as(built.err()).isZero();
        }
        Path wheel = folder.resolve("a/sheaf-0.1.0-py3-none-any.whl");
        assertThat(wheel).hasSameBinaryContentAs(folder.resolve("b/sheaf-0.1.0-py3-none-any.whl"));
        environment.put("PYTHONPATH", wheel.toString());
        Finished imported = Finished.run(
                folder,
                environment,
                TIMEOUT_SECONDS,
                List.of(PYTHON, "-c", "import sheaf; print(sheaf.__version__, sheaf.Executor.__name__)"));
        assertThat(imported.out()).as(imported.err()).isEqualTo("0.1.0 Executor\n");
        Finished opened = Finished.run(
                folder, environment, TIMEOUT_SECONDS, List.of(PYTHON, "-c", "import sheaf; sheaf.Executor()"));
        assertThat(opened.err()).contains("worker.py is in an archive").contains("install the wheel with pip");
    }
}
