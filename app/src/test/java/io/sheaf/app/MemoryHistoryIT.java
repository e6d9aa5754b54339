package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Memory used by earlier runs is shown, used for suggestions, and requested by later runs with {@code --memory
 * history}.
 */
class MemoryHistoryIT {
    private static final int TIMEOUT_SECONDS = 120;

    @TempDir
    Path folder = Path.of("");

    private Finished sheaf(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        return Finished.run(
                folder,
                Map.of(
                        "SHEAF_CACHE", RealRun.CACHE.toString(),
                        "SHEAF_STATE", folder.resolve("state").toString(),
                        "JAVA_HOME", System.getProperty("java.home")),
                TIMEOUT_SECONDS,
                line);
    }

    @Test
    void usedMemoryIsSuggestedAndRequested() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("w.yaml"), """
                name: modest
                vars: {n: 1..6}
                tasks:
                  nap: {foreach: {i: n}, run: 'sleep 1.5', memory: 2G, time: 2s}
                """);
        String[] nodes = {"--nodes", "1", "--cores-per-node", "6", "--mem-per-node", "4G"};
        assertThat(sheaf(with(nodes, "run", "w.yaml", "--run-dir", "first")).status())
                .isZero();
        // Two of six tasks fit at a time; with less memory, those of the second and third round start with the first.
        assertThat(sheaf("history", "first").out())
                .containsPattern(
                        "; its tasks would have started [12]\\.[0-9] s earlier on average, simulated in the queue of first")
                .contains("'nap' requested 2G of memory, the 95th percentile of its peaks is ")
                .contains("memory: 64M is enough, or run with --memory history");
        Finished second =
                sheaf(with(nodes, "run", "w.yaml", "--run-dir", "second", "--rerun", "all", "--memory", "history"));
        assertThat(second.status()).as(second.err()).isZero();
        assertThat(sheaf("history", "second", "--json").out())
                .contains("\"requestedMemoryBytes\" : 67108864", "\"suggestedMemoryBytes\" : 67108864");
        Finished wrong = sheaf("run", "w.yaml", "--memory", "guess");
        assertThat(wrong.status()).isEqualTo(2);
        assertThat(wrong.err()).contains("--memory guess: use given or history");
    }

    /**
     * Two of six tasks fit at a time with the requested cores and memory; with those that they use, all start at once.
     */
    @Test
    void excessiveRequestsGetSuggestions() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("w.yaml"), """
                name: greedy
                vars: {n: 1..6}
                tasks:
                  nap: {foreach: {i: n}, run: 'sleep 2.2', cores: 4, memory: 2G, time: 1m}
                """);
        Finished run = sheaf(
                "run",
                "w.yaml",
                "--run-dir",
                "sheaf-runs/first",
                "--nodes",
                "1",
                "--cores-per-node",
                "8",
                "--mem-per-node",
                "4G");
        assertThat(run.status()).as(run.err()).isZero();
        Finished advice = sheaf("history", "--advice");
        assertThat(advice.err()).isEmpty();
        assertThat(advice.out())
                .startsWith("workflow  category  tasks  time requested")
                .contains("'nap' requests at least twice what 95 % of its tasks used; suggested time: ")
                .containsPattern(
                        "time: [3-9]s, cores: 1, memory: 64M; its tasks would have started [1-9]\\.[0-9] s earlier"
                                + " on average, simulated in the queue of first");
        assertThat(sheaf("history", "--advice", "--json").out())
                .contains("\"requestedCores\" : 4.000", "\"suggestedCores\" : 1", "\"requestedSeconds\" : 60,")
                .containsPattern("\"cpuEfficiency\" : 0\\.0[0-9]+")
                .containsPattern("\"earlierSeconds\" : [1-9]");
        assertThat(sheaf("report", "first").status()).isZero();
        assertThat(folder.resolve("sheaf-runs/first/report.html"))
                .content()
                .contains("Requested and used", "CPU efficiency")
                .contains("requests at least twice what 95 % of its tasks used; suggested time: ");
    }

    private static String[] with(String[] last, String... first) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(last));
        return all.toArray(String[]::new);
    }
}
