package io.sheaf.formats.makeflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs rules' commands in a real shell. */
class RuleCommandIT {
    @TempDir
    Path folder = Path.of("");

    @Test
    void commandsFindFilesUnderTheirOtherNames() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("in 1.txt"), "one\n");
        Files.writeString(folder.resolve("in2.txt"), "two\n");
        Workflow w = Samples.read("""
                out1.txt->sub/out log: 'in 1.txt'->data/in
                	cat data/in | tr a-z A-Z > sub/out; pwd > log
                'out 2.txt'->out: in2.txt->in
                	cat in > out
                """);
        assertThat(run(w, 0)).isZero();
        assertThat(run(w, 1)).isZero();
        assertThat(folder.resolve("out1.txt")).hasContent("ONE");
        assertThat(folder.resolve("out 2.txt")).hasContent("two");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("in 1.txt", "in2.txt", "out1.txt", "log", "out 2.txt");
        }
    }

    @Test
    void failedCommandsAndMissingOutputsAreReported() throws IOException, InterruptedException {
        Workflow w = Samples.read("a->b: c->d\n\texit 7\ne->f:\n\ttrue\n");
        assertThat(run(w, 0)).isEqualTo(7);
        assertThat(run(w, 1)).as("the output is missing").isNotZero();
    }

    private int run(Workflow w, int task) throws IOException, InterruptedException {
        Command command = Objects.requireNonNull(w.command(task));
        Process process = new ProcessBuilder(command.argv())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
