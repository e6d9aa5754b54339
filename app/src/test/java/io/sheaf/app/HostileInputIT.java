package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names, files, environment variables and output that would be commands in a shell, page or terminal stay text. */
@Timeout(1200)
class HostileInputIT {
    private static final String FILE = "a b;touch pwned-1;$(touch pwned-2)`touch pwned-3`'\\\"&<b>|touch pwned-4.txt";

    private static final String WORKFLOW = """
            name: "</script><img src=x onerror=alert(1)>;touch pwned-5;$(touch pwned-6)`touch pwned-7`"
            tasks:
              "$(touch pwned-8)`touch pwned-9`":
                time: 5s
                run: 'printf "<script>alert(2)</script>\\\\n"; echo ok > {out}'
                out: "FILE"
                env: {HOSTILE: "$(touch pwned-10)'; touch pwned-11 #"}
              "</td><script>alert(3)</script>\\"; touch pwned-12; '":
                time: 5s
                in: "FILE"
                category: "\\"><img src=x onerror=alert(4)>$(touch pwned-13)"
                run: 'cat {in}; printf "<img src=x onerror=alert(5)>\\\\033]0;title\\\\007\\\\n" >&2; exit 3'
            """.replace("FILE", FILE);

    @TempDir
    Path cache = Path.of("");

    @TempDir
    Path folder = Path.of("");

    private Map<String, String> environment = Map.of();

    private Finished sheaf(String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(words));
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("SHEAF_CACHE", cache.toString());
        variables.put("SHEAF_STATE", folder.resolve("state").toString());
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        return Finished.run(folder, variables, 200, line);
    }

    private void runHostileWorkflow(String... options) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("w.yaml"), WORKFLOW);
        List<String> words = new ArrayList<>(List.of("run", "w.yaml", "--run-dir", "run"));
        words.addAll(List.of(options));
        Finished run = sheaf(words.toArray(String[]::new));
        assertThat(run.status()).as(run.err()).isEqualTo(1);
        assertThat(run.err()).contains("exit status 3").doesNotContain("\u001b", "\u0007");
        assertThat(folder.resolve(FILE.replace("\\", ""))).hasContent("ok");
        assertNothingInjected();
    }

    private void assertNothingInjected() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(file -> file.getFileName().toString().startsWith("pwned")))
                    .isEmpty();
        }
    }

    @Test
    void hostileNamesStayTextOnTheEmbeddedCluster() throws IOException, InterruptedException {
        runHostileWorkflow("--nodes", "1");
        for (List<String> page : List.of(
                List.of("report", "run", "--html", "report.html"),
                List.of("history", "--all", "--html", "history.html"),
                List.of("inspect", "w.yaml", "--svg", "dag.svg"))) {
            Finished made = sheaf(page.toArray(String[]::new));
            assertThat(made.status()).as(page + made.err()).isZero();
            String text = Files.readString(folder.resolve(page.get(page.size() - 1)));
            assertThat(text.replaceAll("(?s)<script type=\"application/octet-stream\".*?</script>", ""))
                    .as(page.get(0))
                    .contains("&lt;")
                    .doesNotContain("<img", "<script>alert", "</td><script", "<b>|touch");
        }
        assertNothingInjected();
    }

    @Test
    @Tag("slow")
    void hostileNamesStayTextOnSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(1))) {
            environment = slurm.environment();
            runHostileWorkflow("--on", "slurm", "--queue-interval", "2s");
        }
    }

    @Test
    void controlCharactersInIdsAreNotPrinted() throws IOException, InterruptedException {
        Files.writeString(
                folder.resolve("w.yaml"), "tasks: {\"a\\e]0;title\\a\": {run: 'exit 1', category: \"c\\e[31m\"}}\n");
        Finished run = sheaf("run", "w.yaml", "--run-dir", "run", "--nodes", "1");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err() + run.out()).contains("a?]0;title?").doesNotContain("\u001b", "\u0007");
        for (List<String> words :
                List.of(List.of("status", "run"), List.of("inspect", "w.yaml"), List.of("explain", "run"))) {
            Finished output = sheaf(words.toArray(String[]::new));
            assertThat(output.status()).as(output.err()).isZero();
            assertThat(output.out() + output.err()).as(words.get(0)).doesNotContain("\u001b", "\u0007");
        }
    }

    /** A log with more jobs than the heap can store is refused in one line. */
    @Test
    void aLogThatDoesNotFitIntoMemoryIsRefused() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("log.swf"), "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 -1 1 -1 -1 -1\n".repeat(400_000));
        environment = Map.of("JAVA_OPTS", "-Xmx64m");
        Finished replay = sheaf("replay", "log.swf", "--nodes", "10");
        assertThat(replay.status()).as(replay.err()).isEqualTo(3);
        assertThat(replay.err())
                .startsWith("sheaf: log.swf: more than ")
                .contains("JAVA_OPTS=-Xmx")
                .hasLineCount(1);
    }
}
