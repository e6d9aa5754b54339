package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of the Python package, with the system's Python and the built command. */
class PythonIT {
    private static final int PATIENCE_SECONDS = 600;
    private static final String PYTHON = "/usr/bin/python3";
    private static final Path PACKAGE = Path.of("..", "python").toAbsolutePath().normalize();

    private static final String CWL = """
            cwlVersion: v1.2
            class: Workflow
            requirements: {ScatterFeatureRequirement: {}}
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

    @BeforeEach
    void prepare() {
        DebianPackages.require("python3", "python3");
        environment.put("SHEAF", RealRun.BUILT.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("HOME", folder.toString());
        environment.put("TMPDIR", folder.toString());
        environment.put("PYTHONDONTWRITEBYTECODE", "1");
    }

    private void test(String name) throws IOException, InterruptedException {
        Finished done = Finished.run(
                PACKAGE, environment, PATIENCE_SECONDS, List.of(PYTHON, "-W", "error", "-m", "unittest", "-v", name));
        assertThat(done.status()).as(done.err()).isZero();
        assertThat(done.err()).containsPattern("Ran [1-9][0-9]* tests?").doesNotContain("skipped");
    }

    @Test
    void theExecutorOnTheEmbeddedCluster() throws IOException, InterruptedException {
        test("tests.test_executor");
    }

    @Test
    @Tag("slow")
    void theExecutorOnSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.Shape.of(2).nodesOf(2, 0))) {
            environment.putAll(slurm.environment());
            environment.put("SHEAF_TEST_CLUSTER", "{\"on\": \"slurm\", \"queue_interval\": \"5s\"}");
            test("tests.test_executor.ExecutorTest");
        }
    }

    @Test
    @Tag("slow")
    void theCommandsAsFunctions() throws IOException, InterruptedException {
        test("tests.test_client");
    }

    /** The plug-in of Snakemake 8 with stand-ins for the modules of Snakemake, which cannot be installed from Debian 12. */
    @Test
    @Tag("slow")
    void thePluginOfSnakemake() throws IOException, InterruptedException {
        test("tests.test_snakemake_plugin");
    }

    @Test
    @Tag("slow")
    void toilRunsCwlOnTheEmbeddedCluster() throws IOException, InterruptedException {
        assertCwl("--nodes 2 --cores-per-node 2");
    }

    @Test
    @Tag("slow")
    void toilRunsCwlOnSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.Shape.of(2).nodesOf(2, 0))) {
            environment.putAll(slurm.environment());
            assertCwl("--on slurm --queue-interval 5s");
        }
    }

    /** Three words in capitals by a job each, sorted by a fourth. */
    private void assertCwl(String queue) throws IOException, InterruptedException {
        DebianPackages.require("toil-cwl-runner", "toil", "cwltool");
        environment.put("PYTHONPATH", PACKAGE.toString());
        environment.put("TOIL_SHEAF_ARGS", queue);
        Finished done = toil();
        assertThat(done.status()).as(done.err()).isZero();
        assertThat(folder.resolve("out/sorted.txt")).hasContent("APPLE\nFIG\nPEAR");
        assertThat(folder.resolve(".sheaf")).isEmptyDirectory();
    }

    private Finished toil() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("capitals.cwl"), CWL);
        Files.writeString(folder.resolve("words.yaml"), "words: [pear, apple, fig]\n");
        String line =
                "-m toil_batch_system_sheaf toil-cwl-runner --batchSystem sheaf --jobStore store --outdir out --workDir "
                        + folder + " capitals.cwl words.yaml";
        List<String> words = new ArrayList<>(List.of(PYTHON));
        words.addAll(List.of(line.split(" ")));
        return Finished.run(folder, environment, PATIENCE_SECONDS, words);
    }

    @Test
    @Tag("slow")
    void toilWithoutTheCommandIsOneError() throws IOException, InterruptedException {
        DebianPackages.require("toil-cwl-runner", "toil", "cwltool");
        environment.put("PYTHONPATH", PACKAGE.toString());
        environment.put("SHEAF", "/nowhere/sheaf");
        Finished done = toil();
        assertThat(done.status()).isEqualTo(1);
        assertThat(done.err()).endsWith("toil_batch_system_sheaf: SHEAF=/nowhere/sheaf: there is no such program\n");
        assertThat(done.err()).doesNotContain("Traceback");
    }

    /** The wheel is one file that Python can import from, and the same for the same sources. */
    @Test
    void theWheel() throws IOException, InterruptedException {
        for (String each : List.of("a", "b")) {
            Finished built = Finished.run(
                    PACKAGE,
                    environment,
                    PATIENCE_SECONDS,
                    List.of("../package", "python", folder.resolve(each).toString()));
            assertThat(built.status()).as(built.err()).isZero();
        }
        Path wheel = folder.resolve("a/sheaf-0.1.0-py3-none-any.whl");
        assertThat(wheel).hasSameBinaryContentAs(folder.resolve("b/sheaf-0.1.0-py3-none-any.whl"));
        environment.put("PYTHONPATH", wheel.toString());
        Finished imported = Finished.run(
                folder,
                environment,
                PATIENCE_SECONDS,
                List.of(PYTHON, "-c", "import sheaf; print(sheaf.__version__, sheaf.Executor.__name__)"));
        assertThat(imported.out()).as(imported.err()).isEqualTo("0.1.0 Executor\n");
    }
}
