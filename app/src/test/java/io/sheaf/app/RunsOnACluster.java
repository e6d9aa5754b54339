package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests for every batch system that is driven by commands: a killed run is resumed, and a run is cancelled. */
abstract class RunsOnACluster {
    @TempDir
    Path folder = Path.of("");

    RealRun run = new RealRun(folder);

    /** The environment variables that locate the cluster. */
    abstract Map<String, String> environment();

    /** The queue of the cluster as text; empty without jobs. */
    abstract String queue();

    /** The options that select the cluster, with more options. */
    abstract List<String> on(String... words);

    @BeforeEach
    void open() {
        run = new RealRun(folder, environment());
    }

    Process start(String... words) throws IOException {
        return run.start(on(words).toArray(String[]::new));
    }

    void workflow(String yaml) throws IOException {
        Files.writeString(folder.resolve("workflow.yaml"), yaml);
    }

    /** Waits until the queue is empty and no process of the run is left. */
    void assertNothingLeft() throws IOException, InterruptedException {
        Await.until(
                "the queue is empty and no process is left",
                () -> queue().isEmpty() && run.processes().isEmpty());
    }

    @Test
    void aKilledRunIsResumed() throws IOException, InterruptedException {
        Path example = Stream.of("examples", "../examples")
                .map(at -> Path.of(at, "montage-mini.yaml"))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        workflow(Files.readString(example)
                .replace("results: ../results", "results: results")
                .replace("sleep 0.3", "echo {p} >> begun; sleep 1"));
        Process first = start("--queue-interval", "5s");
        run.awaitLines("begun", 2);
        first.destroyForcibly().waitFor();
        assertThat(run.await(run.resume())).as(run.errorOutput()).isZero();
        assertThat(Files.readAllLines(folder.resolve("results/mosaic.txt"))).isNotEmpty();
        assertThat(Files.readAllLines(folder.resolve("begun")))
                .as("no task begins twice")
                .doesNotHaveDuplicates()
                .hasSize(6);
        assertNothingLeft();
    }

    @Test
    void aCancelledRunLeavesNoJob() throws IOException, InterruptedException {
        workflow("""
                name: long
                tasks:
                  a: {foreach: {p: 1..8}, run: 'echo {p} >> begun; sleep 500', time: 600s}
                """);
        Process process = start("--strategy", "levelbylevel", "--nodes", "2");
        run.awaitLines("begun", 2);
        assertThat(run.await(run.sheaf("cancel", "run"))).as(run.errorOutput()).isZero();
        run.await(process);
        assertNothingLeft();
    }
}
