package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.app.cli.OwnCommand;
import io.sheaf.app.service.Roster;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a service on a real Slurm: workflows of several owners, pause, resume, cancel and drain, also over HTTP, a
 * killed manager and archiving.
 */
@Tag("slow")
class ServeOnSlurmIT {
    private static final int TIMEOUT_TENTHS = 1_800;
    private static final int TASKS = 5;
    private static final Pattern ADDRESS =
            Pattern.compile("dashboard (http://127\\.0\\.0\\.1:[0-9]+)/\\?token=([0-9a-f]+)");
    private static final String WORKFLOW = """
            name: ledger
            vars: {c: 1..4}
            tasks:
              first:
                foreach: {i: c}
                out: a-{i}.txt
                time: 2s
                run: |
                  echo $SHEAF_TASK $SHEAF_ATTEMPT >> ../ledger
                  sleep 1
                  echo first {i} > {out}
              last:
                in: {from: first}
                out: c.txt
                time: 1s
                run: cat {in} > {out}
            """;

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4));

    @TempDir
    Path folder = Path.of("");

    private final Map<String, String> environment = new HashMap<>();
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void prepare() {
        environment.putAll(System.getenv());
        environment.putAll(SLURM.get().environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
    }

    @AfterEach
    void endStartedProcesses() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void workflowsSurviveAKilledServiceAndArchiving() throws Exception {
        Process first = serve();
        await("the service runs", () -> output().contains("dashboard"));
        String ann = submit("one", "ann", "0");
        String bob = submit("two", "bob", "5");
        await("tasks run", () -> begunTasks() >= 2);
        first.destroyForcibly().waitFor();
        String paused = submit("three", "cat", "0");
        assertThat(sheaf("serve", "pause", paused, "--state", at("run")).status())
                .isZero();
        String cancelled = submit("four", "dan", "-5");
        assertThat(sheaf("serve", "cancel", cancelled, "--state", at("run")).status())
                .isZero();
        Process second = serve();
        await("the first two workflows are done", () -> is("one", true) && is("two", true));
        awaitState(paused, "paused");
        assertThat(folder.resolve("three/c.txt")).doesNotExist();
        awaitArchived(ann);
        awaitArchived(bob);
        assertThat(post("/api/workflows/" + paused + "/resume")).isEqualTo(202);
        await("the resumed workflow is done", () -> is("three", true));
        assertThat(post("/api/drain")).isEqualTo(202);
        assertThat(second.waitFor(TIMEOUT_TENTHS / 10, TimeUnit.SECONDS))
                .as(output())
                .isTrue();
        assertThat(second.exitValue()).as(output()).isZero();
        assertThat(folder.resolve("four/c.txt")).doesNotExist();
        List<String> begun = Files.readAllLines(folder.resolve("ledger"));
        assertThat(new HashSet<>(begun)).as("no attempt begins twice").hasSize(begun.size());
        assertThat(begun).as("no task is lost").hasSize(3 * (TASKS - 1));
        await("the queue is empty", () -> SLURM.get().query("squeue", "-h").isBlank());
    }

    private Process serve() throws IOException {
        List<String> line = OwnCommand.words(
                "serve", "--on", "slurm", "--state", at("run"), "--policy", "fair-share", "--volume", "5");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("output.txt").toFile()));
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Run sheaf(String... words) {
        return Run.in(folder, environment, words);
    }

    private String submit(String name, String owner, String priority) throws IOException {
        Path in = Files.createDirectories(folder.resolve(name));
        Files.writeString(in.resolve("workflow.yaml"), WORKFLOW);
        String file = in.resolve("workflow.yaml").toString();
        Run run = sheaf("submit", file, "--owner", owner, "--priority", priority, "--to", at("run"));
        assertThat(run.status()).as(run.err()).isZero();
        return run.out().strip();
    }

    private int post(String path) throws Exception {
        Matcher address = ADDRESS.matcher(output());
        String base = "";
        String token = "";
        while (address.find()) {
            base = address.group(1);
            token = address.group(2);
        }
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(base + path))
                                .timeout(Duration.ofSeconds(60))
                                .header("Authorization", "Bearer " + token)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private boolean is(String name, boolean done) {
        return Files.exists(folder.resolve(name).resolve("c.txt")) == done;
    }

    private int begunTasks() {
        try {
            return Files.readAllLines(folder.resolve("ledger")).size();
        } catch (IOException e) {
            return 0;
        }
    }

    private Roster roster(String state) throws IOException {
        RecordedRun run = RecordedRun.open(folder.resolve(state));
        return Roster.of(run);
    }

    private void awaitState(String id, String state) throws Exception {
        Await.until(() -> id + " is " + state + ": " + roster("run"), () -> {
            Roster.RosterEntry entry = roster("run").find(id);
            return entry != null && entry.state().equals(state);
        });
    }

    /** Waits until a workflow is no longer in the journal, and checks that a volume has it as done. */
    private void awaitArchived(String id) throws Exception {
        Await.until(id + " is archived", () -> roster("run").find(id) == null);
        try (Stream<Path> volumes = Files.list(folder.resolve("run/past"))) {
            List<String> states = new ArrayList<>();
            for (Path volume : volumes.toList()) {
                Roster.RosterEntry entry =
                        roster("run/past/" + volume.getFileName()).find(id);
                states.add(entry == null ? "" : entry.state());
            }
            assertThat(states).contains("done");
        }
    }

    private void await(String description, BooleanSupplier condition) throws InterruptedException {
        Await.until(() -> description + "; " + output(), condition::getAsBoolean);
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output.txt"));
        } catch (IOException e) {
            return "";
        }
    }

    private String at(String name) {
        return folder.resolve(name).toString();
    }
}
