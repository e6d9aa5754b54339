package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What no node has is refused with status 3 before anything starts, with the file, the task and the largest amount that exists. */
class ResourceRefusalsTest {
    @TempDir
    Path folder = Path.of("");

    private void isRefused(String command, String needs, String message, String... options) throws IOException {
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
    void memoryAboveTheLargestNode() throws IOException {
        String message = "6G of memory on a node; the largest node has 4G";
        isRefused("run", "memory: 6G", message, "--mem-per-node", "4G");
        isRefused(
                "run",
                "memory: 5000000000",
                "4768M of memory on a node; the largest node has 4G. Maybe --mem-per-node 4769M",
                "--mem-per-node",
                "4G");
        isRefused("simulate", "memory: 6G", message, "--model", "kth-like", "--mem-per-node", "4G");
        isRefused("compare", "memory: 6G", message, "--model", "kth-like", "--mem-per-node", "4G");
    }

    @Test
    void typesOfGpusThatDoNotExist() throws IOException {
        String message = "1 of 'gpu:h100' on a node; the largest node has 0 (GPUs: a100:2)";
        isRefused("run", "gpus: 'h100:1'", message, "--gpus-per-node", "a100:2");
        isRefused("simulate", "gpus: 'h100:1'", message, "--model", "kth-like", "--gpus-per-node", "a100:2");
        isRefused("run", "gpus: 3", "3 GPUs on a node; the largest node has 2", "--gpus-per-node", "a100:2");
    }

    @Test
    void namedResourcesWithoutALimitOrAboveIt() throws IOException {
        isRefused(
                "run",
                "resources: {licence: 9}",
                "'licence', which has no limit. Set --run-resource licence=N or --node-resource licence=N");
        isRefused("run", "resources: {licence: 9}", "9 of 'licence'; the run has 5", "--run-resource", "licence=5");
        isRefused(
                "run",
                "resources: {scratch: 200G}",
                "200G of 'scratch' on a node; the largest node has 100G",
                "--node-resource",
                "scratch=100G");
    }

    @Test
    void nodesHaveMemory() throws IOException {
        Path file = folder.resolve("workflow.yaml");
        Files.writeString(file, "tasks: {odd: {run: 'true', time: 2s}}\n");
        Run run = Run.in(folder, Map.of("SHEAF_SITE_CONFIG", "nowhere"), "run", file.toString(), "--mem-per-node", "0");
        assertThat(run.err()).contains("--mem-per-node: must be at least 1 byte, is 0");
        assertThat(run.status()).isEqualTo(3);
    }
}
