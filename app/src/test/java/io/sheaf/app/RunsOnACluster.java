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

/** What the command does on every batch system that is driven by commands, from the outside: a run that is killed and goes on, and one that is cancelled. */
abstract class RunsOnACluster {
    @TempDir
    Path folder = Path.of("");

    RealRun run = new RealRun(folder);

    /** The variables by which the cluster is found. */
    abstract Map<String, String> environment();

    /** What its queue holds; empty if nothing. */
    abstract String queue();

    /** What to say to run there, with further words. */
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

    /** The queue is empty, and nothing of the run is left. */
    void assertNothingLeft() throws IOException, InterruptedException {
        Await.until(
                "nothing is left", () -> queue().isEmpty() && run.processes().isEmpty());
    }

    @Test
    void aRunIsKilledAndGoesOn() throws IOException, InterruptedException {
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
        assertThat(run.await(run.resume())).as(run.said()).isZero();
        assertThat(Files.readAllLines(folder.resolve("results/mosaic.txt"))).isNotEmpty();
        assertThat(Files.readAllLines(folder.resolve("begun")))
                .as("no task is begun twice")
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
        assertThat(run.await(run.sheaf("cancel", "run"))).as(run.said()).isZero();
        run.await(process);
        assertNothingLeft();
    }
}
