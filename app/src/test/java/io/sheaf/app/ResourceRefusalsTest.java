package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that requests for resources that no node has are refused with status 3 before a task starts.
 *
 * <p>The message names the file, the task and the largest available amount.
 */
class ResourceRefusalsTest {
    @TempDir
    Path folder = Path.of("");

    private void assertRefused(String command, String needs, String message, String... options) throws IOException {
        Path file = folder.resolve("workflow.yaml");
        Files.writeString(file, "tasks: {odd: {run: 'true', time: 2s, " + needs + "}}\n");
        String[] line = new String[options.length + 2];
        line[0] = command;
        line[1] = file.toString();
        System.arraycopy(options, 0, line, 2, options.length);
        Run run = Run.in(folder, Map.of("SHEAF_SITE_CONFIG", "nowhere"), line);
        String place = command.equals("run") ? ":1:9" : "";
        assertThat(run.err()).contains(file + place + ": task 'odd' needs " + message);
        assertThat(run.status()).isEqualTo(3);
    }

    @Test
    void memoryAboveTheLargestNodeIsRefused() throws IOException {
        String message = "6G of memory on a node; the largest node has 4G";
        assertRefused("run", "memory: 6G", message, "--mem-per-node", "4G");
        assertRefused(
                "run",
                "memory: 5000000000",
                "4768M of memory on a node; the largest node has 4G. Maybe --mem-per-node 4769M",
                "--mem-per-node",
                "4G");
        assertRefused("simulate", "memory: 6G", message, "--model", "kth-like", "--mem-per-node", "4G");
        assertRefused("compare", "memory: 6G", message, "--model", "kth-like", "--mem-per-node", "4G");
    }

    @Test
    void missingGpusAreRefused() throws IOException {
        String message = "1 of 'gpu:h100' on a node; the largest node has 0 (GPUs: a100:2)";
        assertRefused("run", "gpus: 'h100:1'", message, "--gpus-per-node", "a100:2");
        assertRefused("simulate", "gpus: 'h100:1'", message, "--model", "kth-like", "--gpus-per-node", "a100:2");
        assertRefused("run", "gpus: 3", "3 GPUs on a node; the largest node has 2", "--gpus-per-node", "a100:2");
    }

    @Test
    void namedResourcesWithoutOrAboveALimitAreRefused() throws IOException {
        assertRefused(
                "run",
                "resources: {licence: 9}",
                "'licence', which has no limit. Set --run-resource licence=N or --node-resource licence=N");
        assertRefused("run", "resources: {licence: 9}", "9 of 'licence'; the run has 5", "--run-resource", "licence=5");
        assertRefused(
                "run",
                "resources: {scratch: 200G}",
                "200G of 'scratch' on a node; the largest node has 100G",
                "--node-resource",
                "scratch=100G");
    }

    @Test
    void nodesWithoutMemoryAreRefused() throws IOException {
        Path file = folder.resolve("workflow.yaml");
        Files.writeString(file, "tasks: {odd: {run: 'true', time: 2s}}\n");
        Run run = Run.in(folder, Map.of("SHEAF_SITE_CONFIG", "nowhere"), "run", file.toString(), "--mem-per-node", "0");
        assertThat(run.err()).contains("--mem-per-node: must be at least 1 byte, is 0");
        assertThat(run.status()).isEqualTo(3);
    }
}
