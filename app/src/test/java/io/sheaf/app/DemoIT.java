package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sheaf demo} with the built command, real agents and tasks. */
@Tag("slow")
class DemoIT {
    private static final int TIMEOUT_SECONDS = 240;

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void setUp() {
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
    }

    @Test
    void strategiesRunSideBySideAndAreCompared() throws IOException, InterruptedException {
        Finished demo = sheaf("demo", "--strategies", "onejob,onejobpertask", "-o", "demo");
        assertThat(demo.status()).as(demo.err()).isZero();
        assertThat(demo.out()).contains("makespan", "onejob ", "onejobpertask", "node time allocated", "demo.html");
        assertThat(demo.err())
                .contains(
                        "One workflow of 8 tasks",
                        "onejobpertask  one job per ready task",
                        "onejob         makespan",
                        "onejobpertask  makespan");
        for (String strategy : List.of("onejob", "onejobpertask")) {
            String makespan = sheaf("status", "demo/" + strategy)
                    .out()
                    .lines()
                    .filter(line -> line.startsWith("makespan"))
                    .findFirst()
                    .orElseThrow()
                    .replaceFirst(" +", " ");
            assertThat(demo.err()).containsPattern(strategy + " +" + makespan + "\n");
        }
        assertThat(Files.readString(folder.resolve("demo/demo.html")))
                .contains("<h2>onejob</h2>", "<h2>onejobpertask</h2>", "member-6");
        String mean = Files.readString(folder.resolve("demo/onejob/work/results/mean.txt"));
        assertThat(Files.readString(folder.resolve("demo/onejobpertask/work/results/mean.txt")))
                .isEqualTo(mean);

        Finished second = sheaf("demo", "-o", "demo");
        assertThat(second.status()).isEqualTo(3);
        assertThat(second.err()).contains("already exists; use another folder with -o");
    }

    @Test
    void aSignalCancelsTheRuns() throws IOException, InterruptedException {
        Process demo = new ProcessBuilder(
                        RealRun.BUILT.toString(), "demo", "--strategies", "onejob,glume", "-o", "demo")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out.txt").toFile())
                .start();
        try {
            Await.until(
                    "the second run has a pilot job",
                    () -> Files.exists(folder.resolve("demo/glume/journal"))
                            && sheaf("status", "demo/glume", "--json").out().contains("\"token\""));
            demo.toHandle().destroy();
            assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            demo.destroyForcibly();
        }
        Finished state = sheaf("status", "demo/glume", "--json");
        assertThat(state.out()).contains("\"cancelled\"");
    }

    private Finished sheaf(String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(args));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }
}
