package io.sheaf.formats.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the shipped examples, one task after the other, and checks their results. */
class ExamplesIT {
    @Test
    void theHelloExampleWritesAGreeting(@TempDir Path folder) throws Exception {
        run("hello.yaml", folder);
        assertThat(Files.readString(folder.resolve("results/hello.txt"))).startsWith("Hello from ");
    }

    @Test
    void theMontageExampleWritesAMosaic(@TempDir Path folder) throws Exception {
        Workflow workflow = run("montage-mini.yaml", folder);
        assertThat(workflow.size()).isEqualTo(26);
        assertThat(workflow.levels()).isEqualTo(7);
        List<String> rows = Files.readAllLines(folder.resolve("results/mosaic.txt"));
        assertThat(rows).hasSize(11);
        // Six pictures of 11 columns, all as bright as the first: its first row is 13 … 23.
        String first = "13 14 15 16 17 18 19 20 21 22 23 ";
        assertThat(rows.get(0)).isEqualTo(first.repeat(6));
        assertThat(Files.readAllLines(folder.resolve("results/histogram.txt"))
                        .get(0)
                        .strip())
                .isEqualTo("6 13");
    }

    @Test
    void theParameterSweepExampleWritesATable(@TempDir Path folder) throws Exception {
        Workflow workflow = run("parameter-sweep.yaml", folder);
        assertThat(workflow.size()).isEqualTo(4 * 4 + 4 + 1);
        List<String> lines = Files.readAllLines(folder.resolve("results/pi.txt"));
        assertThat(lines).hasSize(4);
        assertThat(lines.get(3)).matches("800 darts: 3[01]\\d\\d / 1000");
    }

    /** Runs an example in the subfolder {@code work}; its results are in the folder {@code results} beside it. */
    private static Workflow run(String example, Path parent) throws Exception {
        Path folder = Files.createDirectory(parent.resolve("work"));
        Path file = Samples.root().resolve("examples").resolve(example);
        Workflow workflow = new SheafYaml().read(Source.of(file), true);
        for (int i = 0; i < workflow.size(); i++) {
            int task = workflow.inOrder(i);
            Command command = workflow.command(task);
            assertThat(command).as(workflow.id(task)).isNotNull();
            for (int o = 0; o < workflow.outputs(task); o++) {
                Path output = folder.resolve(workflow.fileName(workflow.output(task, o)));
                Files.createDirectories(Objects.requireNonNull(output.getParent()));
            }
            if (command != null) {
                execute(workflow.id(task), command, folder);
            }
            for (int o = 0; o < workflow.outputs(task); o++) {
                assertThat(folder.resolve(workflow.fileName(workflow.output(task, o))))
                        .isNotEmptyFile();
            }
        }
        return workflow;
    }

    private static void execute(String id, Command command, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(command.argv())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(command.environment());
        Process process = builder.start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(id).isTrue();
        assertThat(process.exitValue()).as(id + ": " + Files.readString(log)).isZero();
        assertThat(log).as(id).isEmptyFile();
    }
}
