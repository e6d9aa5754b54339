package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.service.Roster;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.testing.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a service with real tasks: submission while workflows run, a killed manager, pause, cancel and archiving. */
class ServeIT {
    private static final int WIDTH = 4;
    private static final int TASKS = WIDTH + 1;
    private static final Pattern ADDRESS =
            Pattern.compile("dashboard (http://127\\.0\\.0\\.1:[0-9]+)/\\?token=([0-9a-f]+)");

    private static final String WORKFLOW = """
            name: ledger
            vars: {c: 1..4}
            tasks:
              first:
                foreach: {i: c}
                out: a-{i}.txt
                time: 1s
                run: |
                  echo begin $SHEAF_TASK $SHEAF_ATTEMPT >> ../ledger
                  sleep 0.4
                  echo first {i} > {out}
              last:
                in: {from: first}
                out: c.txt
                time: 1s
                run: cat {in} > {out}
            """;

    @TempDir
    Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endStartedProcesses() {
        started.forEach(Process::destroyForcibly);
    }

    private Process serve(RealRun run) throws IOException {
        Process process =
                run.sheaf("serve", "--state", "run", "--nodes", "2", "--policy", "fair-share", "--share", "ann=2");
        started.add(process);
        return process;
    }

    private String submit(RealRun run, String name, String owner) throws IOException, InterruptedException {
        return submit(run, name, owner, WORKFLOW);
    }

    private String submit(RealRun run, String name, String owner, String workflow)
            throws IOException, InterruptedException {
        Path in = Files.createDirectories(folder.resolve(name));
        Files.writeString(in.resolve("workflow.yaml"), workflow);
        int before = run.lines("out.txt").size();
        Process submitted = run.sheaf("submit", name + "/workflow.yaml", "--owner", owner, "--to", "run");
        assertThat(run.await(submitted)).as(run.errorOutput()).isZero();
        return run.lines("out.txt").get(before);
    }

    @Test
    void workflowsCompleteOnceIfTheServiceIsKilled() throws Exception {
        RealRun run = new RealRun(folder);
        Process first = serve(run);
        await(run, ADDRESS);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("run/dashboard-token"))))
                .isEqualTo("rw-------");
        String ann = submit(run, "one", "ann");
        String bob = submit(run, "two", "bob");
        run.awaitLines("ledger", 3);
        String third = submitOverHttp(run, "three", "bob");
        first.destroyForcibly().waitFor();
        String late = submit(run, "four", "ann");
        Process second = serve(run);
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(run.await(second)).as(run.errorOutput()).isZero();

        Roster roster = roster();
        assertThat(roster.entries()).extracting(Roster.RosterEntry::id).containsExactly(ann, bob, third, late);
        assertThat(roster.entries()).extracting(Roster.RosterEntry::owner).containsExactly("ann", "bob", "bob", "ann");
        assertThat(roster.entries()).extracting(Roster.RosterEntry::state).containsOnly("done");
        assertThat(roster.open()).isFalse();
        assertCommittedOnce(run, 4 * TASKS);
        for (String name : List.of("one", "two", "three", "four")) {
            assertThat(folder.resolve(name).resolve("c.txt")).hasContent("first 1\nfirst 2\nfirst 3\nfirst 4");
        }
        assertThat(run.processes()).as("processes left").isEmpty();
    }

    @Test
    void workflowsArePausedResumedAndCancelled() throws Exception {
        RealRun run = new RealRun(folder);
        Process first = serve(run);
        await(run, ADDRESS);
        first.destroyForcibly().waitFor();
        // No manager is live: the requests wait for the next one.
        String paused = submit(run, "one", "ann");
        assertThat(run.await(run.sheaf("serve", "pause", paused, "--state", "run")))
                .as(run.errorOutput())
                .isZero();
        String cancelled = submit(run, "two", "bob", WORKFLOW.replace("sleep 0.4", "sleep 100"));
        Process service = serve(run);
        run.awaitLines("ledger", 1);
        assertThat(run.await(run.sheaf("serve", "cancel", cancelled, "--state", "run")))
                .isZero();
        awaitState(cancelled, "cancelled");
        awaitState(paused, "paused");
        assertThat(run.await(run.sheaf("serve", "cancel", cancelled, "--state", "run")))
                .as("the workflow has ended")
                .isEqualTo(ExitStatus.BAD_INPUT);
        assertThat(run.await(run.sheaf("serve", "resume", paused, "--state", "run")))
                .isZero();
        awaitState(paused, "done");
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(run.await(service)).as(run.errorOutput()).isZero();
        assertThat(folder.resolve("one/c.txt")).exists();
        assertThat(folder.resolve("two/c.txt")).doesNotExist();
        assertThat(run.processes()).as("processes left").isEmpty();
    }

    @Test
    void endedWorkflowsAreArchivedWhenTheServiceIsIdle() throws Exception {
        RealRun run = new RealRun(folder);
        Process service = run.sheaf("serve", "--state", "run", "--nodes", "2", "--volume", "3");
        started.add(service);
        await(run, ADDRESS);
        String first = submit(run, "one", "ann");
        await(run, Pattern.compile("archived in .*past/0001"));
        String second = submit(run, "two", "bob");
        await(run, Pattern.compile("archived in .*past/0002"));
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(run.await(service)).as(run.errorOutput()).isZero();
        assertThat(roster().entries()).isEmpty();
        Roster archived = roster("run/past/0001");
        assertThat(archived.entries()).extracting(Roster.RosterEntry::id).containsExactly(first);
        assertThat(archived.entries()).extracting(Roster.RosterEntry::state).containsExactly("done");
        assertThat(roster("run/past/0002").entries())
                .extracting(Roster.RosterEntry::id)
                .containsExactly(second);
        assertThat(folder.resolve("one/c.txt")).exists();
        assertThat(folder.resolve("two/c.txt")).exists();
        assertThat(run.processes()).as("processes left").isEmpty();
    }

    /**
     * A paused workflow stays while others are submitted and archived. The manager is killed after that, and no task
     * repeats.
     */
    @Test
    void endedWorkflowsAreArchivedWhileOthersRemain() throws Exception {
        RealRun run = new RealRun(folder);
        String[] line = {"serve", "--state", "run", "--nodes", "2", "--volume", "5"};
        Process service = run.sheaf(line);
        started.add(service);
        await(run, ADDRESS);
        String paused = submit(run, "one", "ann", WORKFLOW.replace("sleep 0.4", "sleep 3"));
        run.awaitLines("ledger", 1);
        assertThat(run.await(run.sheaf("serve", "pause", paused, "--state", "run")))
                .isZero();
        String second = submit(run, "two", "bob");
        await(run, Pattern.compile("archived in .*past/0001"));
        assertThat(roster().entries()).extracting(Roster.RosterEntry::id).containsExactly(paused);
        assertThat(roster("run/past/0001").entries())
                .extracting(Roster.RosterEntry::id)
                .containsExactly(paused, second);
        service.destroyForcibly().waitFor();
        Process next = run.sheaf(line);
        started.add(next);
        assertThat(run.await(run.sheaf("serve", "resume", paused, "--state", "run")))
                .isZero();
        assertThat(run.await(run.sheaf("serve", "drain", "--state", "run"))).isZero();
        assertThat(run.await(next)).as(run.errorOutput()).isZero();
        assertThat(roster().entries()).extracting(Roster.RosterEntry::state).containsExactly("done");
        assertThat(folder.resolve("one/c.txt")).exists();
        assertThat(run.lines("ledger")).as("each task begins once").hasSize(2 * WIDTH);
        assertThat(run.processes()).as("processes left").isEmpty();
    }

    private Roster roster() throws IOException {
        return roster("run");
    }

    private Roster roster(String state) throws IOException {
        RecordedRun run = RecordedRun.open(folder.resolve(state));
        return Roster.of(run);
    }

    private void awaitState(String id, String state) throws IOException, InterruptedException {
        Await.until(() -> id + " is " + state + ": " + roster(), () -> {
            Roster.RosterEntry entry = roster().find(id);
            return entry != null && entry.state().equals(state);
        });
    }

    private String submitOverHttp(RealRun run, String name, String owner) throws Exception {
        Path in = Files.createDirectories(folder.resolve(name));
        Matcher address = await(run, ADDRESS);
        HttpResponse<String> reply = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(
                                        address.group(1) + "/api/workflows?owner=" + owner + "&folder=" + in))
                                .timeout(Duration.ofSeconds(30))
                                .header("Authorization", "Bearer " + address.group(2))
                                .POST(HttpRequest.BodyPublishers.ofString(WORKFLOW))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(202);
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(reply.body());
        assertThat(id.find()).isTrue();
        return id.group(1);
    }

    private static Matcher await(RealRun run, Pattern output) throws IOException, InterruptedException {
        return Await.found(() -> "a message " + output + " in " + run.errorOutput(), () -> {
            Matcher found = output.matcher(run.errorOutput());
            return found.find() ? found : null;
        });
    }

    private static void assertCommittedOnce(RealRun run, int tasks) throws IOException {
        Set<Integer> done = new HashSet<>();
        for (AttemptResult result : run.results(AttemptOutcome.SUCCEEDED)) {
            assertThat(done.add(result.message().attempt().task()))
                    .as("succeeded once: %s", result)
                    .isTrue();
        }
        assertThat(done).hasSize(tasks);
    }
}
