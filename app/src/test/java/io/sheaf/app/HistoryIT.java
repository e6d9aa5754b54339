package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The history of a real run among background jobs. */
@Tag("slow")
class HistoryIT {
    private static final int TIMEOUT_SECONDS = 180;

    /** With this seed, the first node is free after a few seconds. */
    private static final List<String> CLUSTER =
            List.of("--nodes", "8", "--background", "kth-like@600x", "--seed", "13", "--strategy", "onejob");

    @TempDir
    Path folder = Path.of("");

    private Finished sheaf(List<String> words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(words);
        Map<String, String> environment = Map.of(
                "SHEAF_CACHE",
                RealRun.CACHE.toString(),
                "SHEAF_STATE",
                folder.resolve("state").toString(),
                "JAVA_HOME",
                System.getProperty("java.home"));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    private static double number(String json, String pattern) {
        Matcher found = Pattern.compile(pattern, Pattern.DOTALL).matcher(json);
        assertThat(found.find()).as("%s in %s", pattern, json).isTrue();
        return Double.parseDouble(found.group(1));
    }

    @Test
    void theSimulatedMakespanIsCloseToTheActualOne() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("pair.yaml"), """
                name: pair
                tasks:
                  first: {time: 2s, run: sleep 2}
                  second: {time: 1s, run: sleep 1, after: first}
                """);
        List<String> line = new ArrayList<>(List.of("run", "pair.yaml"));
        line.addAll(CLUSTER);
        assertThat(sheaf(line).status()).isZero();
        Finished result = sheaf(List.of("history", "--json", "--strategies", "onejobpertask,glume"));
        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.out()).contains("\"category\" : \"first\"", "\"category\" : \"second\"", "\"by\" : \"used\"");
        double actual = number(result.out(), "\"makespanSeconds\" : ([0-9.]+)");
        double waited = number(result.out(), "\"perceivedWaitSeconds\" : ([0-9.]+)");
        double simulated = number(
                result.out(), "\"strategy\" : \"onejob\",\\s*\"completed\" : true,\\s*\"makespanSeconds\" : ([0-9.]+)");
        // The queue and the tasks are the same; starting agents and a busy machine only make a real run longer.
        assertThat(waited).isPositive();
        assertThat(simulated).isBetween(waited + 2.5, actual + 1);
        assertThat(result.out()).containsPattern("\"strategy\" : \"onejobpertask\",\\s*\"completed\" : true");
        Finished all = Finished.run(
                RealRun.CACHE,
                Map.of(
                        "SHEAF_CACHE",
                        RealRun.CACHE.toString(),
                        "SHEAF_STATE",
                        folder.resolve("state").toString()),
                TIMEOUT_SECONDS,
                List.of(RealRun.BUILT.toString(), "history", "--all", "--strategies", "none"));
        assertThat(all.out()).as(all.err()).startsWith("1 run\n").contains("pair-");
    }
}
