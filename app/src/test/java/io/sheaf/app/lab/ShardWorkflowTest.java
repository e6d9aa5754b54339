package io.sheaf.app.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Workflow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workflow that runs the shards of an experiment on a cluster. */
class ShardWorkflowTest {
    @TempDir
    Path folder = Path.of("");

    private static List<String> arguments(Workflow workflow, int task) {
        return Objects.requireNonNull(workflow.command(task)).argv();
    }

    @Test
    void eachShardHasATaskAndOneTaskMerges() {
        Workflow made = ShardWorkflow.of("e", List.of("lab", "run", "/e.yaml"), 3, 4, 90_000_000);
        assertThat(made.size()).isEqualTo(4);
        assertThat(ShardWorkflow.shards(made)).isEqualTo(3);
        assertThat(made.parents(3)).isEqualTo(3);
        assertThat(made.resources(1).cores()).isEqualTo(4);
        assertThat(made.timeMicros(1)).isEqualTo(90_000_000);
        assertThat(arguments(made, 1))
                .endsWith("lab", "run", "/e.yaml", "--shard", "2/3", "--threads", "4", "-o", "shards/2")
                .doesNotContain("-XX:TieredStopAtLevel=1");
        assertThat(arguments(made, 3)).endsWith("lab", "merge", "shards/1", "shards/2", "shards/3", "-o", ".");
    }

    /** Runs the script of a shard with another program in place of Sheaf. */
    private int runShard(String script) throws Exception {
        List<String> line = arguments(ShardWorkflow.of("e", List.of(), 1, 1, 1), 0);
        Files.createDirectories(folder.resolve("shards/1"));
        Process process = new ProcessBuilder(line.get(0), line.get(1), line.get(2), line.get(3), "sh", "-c", script)
                .directory(folder.toFile())
                .start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void aShardWithIncompleteRunsIsDone() throws Exception {
        assertThat(runShard("touch shards/1/runs.csv; exit 1")).isZero();
        assertThat(folder.resolve("shards/1.done")).exists();
    }

    @Test
    void aShardWithoutATableOrWithAnErrorIsNotDone() throws Exception {
        assertThat(runShard("exit 1")).isEqualTo(1);
        assertThat(runShard("touch shards/1/runs.csv; exit 3")).isEqualTo(3);
        assertThat(folder.resolve("shards/1.done")).doesNotExist();
    }
}
