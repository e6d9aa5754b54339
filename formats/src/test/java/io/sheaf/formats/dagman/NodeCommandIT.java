package io.sheaf.formats.dagman;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.formats.Source;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of DAG nodes in a real shell. */
class NodeCommandIT {
    @TempDir
    Path folder;

    @BeforeEach
    void writePrograms() throws IOException {
        program("job.sh", "cat; echo \"job $* in $(basename \"$PWD\") with $MODE\"; exit ${STATUS:-0}");
        program("pre.sh", "echo \"pre $*\" >> order; exit $2");
        program("post.sh", "echo \"post $*\" >> order; exit $1");
    }

    @Test
    void aNodeRunsInItsFolderWithItsStreams() throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("sub/out dir"));
        Files.writeString(folder.resolve("sub/out dir/numbers"), "1 2 3\n");
        program("sub/job.sh", "cat; echo \"job $* in $(basename \"$PWD\") with $MODE\"; echo oops >&2");
        Files.writeString(folder.resolve("sub/a.sub"), """
                executable = job.sh
                arguments = "one 'two three' ""four\"\"\"
                environment = "MODE='very ''fast'''"
                initialdir = out dir
                input = numbers
                output = $(JOB).txt
                error = $(JOB).txt
                queue
                """);
        assertThat(run("JOB A a.sub DIR sub\n")).isZero();
        assertThat(folder.resolve("sub/out dir/A.txt"))
                .hasContent("1 2 3\njob one two three \"four\" in out dir with very 'fast'\noops\n");
    }

    @Test
    void aFailedPreScriptStopsTheNode() throws IOException, InterruptedException {
        assertThat(run(inline("0") + "SCRIPT PRE A pre.sh $JOB 3\nSCRIPT POST A post.sh $RETURN\n"))
                .isEqualTo(3);
        assertThat(folder.resolve("order")).hasContent("pre A 3\n");
        assertThat(folder.resolve("job.txt")).doesNotExist();
    }

    @Test
    void thePostScriptDecidesTheExitStatus() throws IOException, InterruptedException {
        assertThat(run(inline("7") + "SCRIPT PRE A pre.sh $JOB 0\nSCRIPT POST A post.sh 0 $RETURN\n"))
                .isZero();
        assertThat(folder.resolve("order")).hasContent("pre A 0\npost 0 7\n");
        assertThat(run(inline("0") + "SCRIPT POST A post.sh 5 $RETURN\n")).isEqualTo(5);
    }

    @Test
    void withoutAPostScriptTheJobDecidesTheExitStatus() throws IOException, InterruptedException {
        assertThat(run(inline("7") + "SCRIPT PRE A pre.sh $JOB 0\n")).isEqualTo(7);
        assertThat(run(inline("0"))).isZero();
    }

    private static String inline(String status) {
        return "JOB A {\nexecutable = job.sh\ninput = /dev/null\noutput = job.txt\nenvironment = STATUS=" + status
                + "\n}\n";
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Runs the only node of a DAG file and returns its exit status. */
    private int run(String dag) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("w.dag"), dag);
        Workflow w = new DagmanReader().read(Source.of(file), false);
        Command command = Objects.requireNonNull(w.command(0));
        ProcessBuilder builder =
                new ProcessBuilder(command.argv()).directory(folder.toFile()).inheritIO();
        builder.environment().putAll(command.environment());
        Process process = builder.start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
