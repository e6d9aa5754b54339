package io.sheaf.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A million tasks with four edges each fit into a small heap, during and after the build. */
class LargeWorkflowIT {
    private static final int TASKS = 1_000_000;
    private static final int EDGES = 4;

    @Test
    void aMillionTasksFitIntoHalfAGibibyte() throws IOException, InterruptedException {
        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeWorkflowIT.class.getName())
                .redirectErrorStream(true)
                .start();
        if (!java.waitFor(120, TimeUnit.SECONDS)) {
            java.destroyForcibly();
        }
        String output = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        // Task i comes after i−1, i−2, i−3 and i−4: a chain of a million levels, and 4 · 10⁶ − (4 + 3 + 2 + 1) edges.
        assertThat(output).isEqualTo("1000000 tasks 3999990 edges 1000000 levels 1000000 s\n");
        assertThat(java.exitValue()).isZero();
    }

    /** Run in a JVM of its own. */
    public static void main(String[] args) {
        WorkflowBuilder builder = new WorkflowBuilder("large");
        for (int i = 0; i < TASKS; i++) {
            int task = builder.task("ID" + i);
            builder.category(task, "c" + i % 10).time(task, 1_000_000);
            for (int parent = Math.max(0, i - EDGES); parent < i; parent++) {
                builder.edge(parent, task);
            }
        }
        Workflow w = builder.build();
        long seconds = w.criticalPathMicros() / 1_000_000;
        System.out.print(w.size() + " tasks " + w.edges() + " edges " + w.levels() + " levels " + seconds + " s\n");
    }
}
