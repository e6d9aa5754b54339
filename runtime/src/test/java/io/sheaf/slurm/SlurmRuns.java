package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.Fence;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.batch.Pools;
import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.batch.LocalAccess;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.run.ManagerLease;
import io.sheaf.runtime.run.RunFiles;
import io.sheaf.runtime.run.RunListener;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Runs of one workflow on a real Slurm, in a folder of their own: a task, several that depend on it and each write a
 * file, and one that reads all files. Each task appends a line to {@code lines} when it ends.
 */
final class SlurmRuns {
    private static final int TIMEOUT_SECONDS = 120;
    private static final String ID = "00000000000000" + (10 + (int) (System.nanoTime() % 89));

    private final RealSlurm slurm;
    private final Path folder;
    private final Path agentFiles;
    private final Path bin;
    private final Workflow workflow;
    private final int width;
    private final Map<String, String> environment;
    private final List<String> messages = Collections.synchronizedList(new ArrayList<>());
    /** The time after which the manager ends a command of Slurm. */
    private int commandMillis = 5_000;

    private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
    private @Nullable WorkflowRun run;

    /** Runs of a workflow with a given number of parallel tasks, each of which takes a given number of seconds. */
    SlurmRuns(RealSlurm slurm, Path folder, Path agentFiles, int width, String seconds) throws IOException {
        this.slurm = slurm;
        this.folder = folder;
        this.agentFiles = agentFiles;
        this.width = width;
        bin = Files.createDirectories(folder.resolve("bin"));
        StringBuilder yaml = new StringBuilder("name: fan\ntasks:\n");
        String line = "sleep " + seconds + "; %s; echo $SHEAF_TASK $SHEAF_ATTEMPT >> lines";
        yaml.append(task("first", line.formatted("echo seed > first.txt"), "out: first.txt"));
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            String part = "part" + i + ".txt";
            parts.add(part);
            yaml.append(task(
                    "part" + i,
                    line.formatted("cat first.txt > " + part + "; echo " + i + " >> " + part),
                    "in: first.txt, out: " + part));
        }
        yaml.append(task(
                "last",
                line.formatted("cat " + String.join(" ", parts) + " > last.txt"),
                "in: [" + String.join(", ", parts) + "], out: last.txt"));
        workflow = Formats.reader("yaml")
                .read(Source.of("fan.yaml", yaml.toString().getBytes(StandardCharsets.UTF_8)), true);
        environment = new HashMap<>(System.getenv());
        environment.putAll(slurm.environment());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("PATH", bin + ":" + slurm.path());
    }

    private static String task(String name, String command, String files) {
        return "  " + name + ": {run: '" + command + "', " + files + ", time: 2s}\n";
    }

    /**
     * Puts a script before one of Slurm's commands; {@code $REAL} in it is that command. Queries for start times bypass
     * it.
     */
    void wrap(String command, String... lines) throws IOException {
        String real = slurm.query("sh", "-c", "command -v " + command);
        Path file = bin.resolve(command + ".tmp");
        Files.writeString(
                file,
                "#!/bin/bash\nREAL=" + real + "\n[ \"$1\" != --test-only ] || exec $REAL \"$@\"\ncd " + folder + "\n"
                        + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(file, bin.resolve(command), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Sets the time after which the manager ends a command of Slurm; 5 s if not called. */
    void commandSeconds(int seconds) {
        commandMillis = 1_000 * seconds;
    }

    /** Removes the script. */
    void unwrap(String command) throws IOException {
        Files.delete(bin.resolve(command));
    }

    Path folder() {
        return folder;
    }

    List<String> messages() {
        return List.copyOf(messages);
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    /** Lines that tasks have appended. */
    List<String> lines() throws IOException {
        Path file = folder.resolve("lines");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Starts or continues a run in another thread. */
    CompletableFuture<RunLoop.Ending> start(String strategy, int cap, String... options) throws Exception {
        SlurmCommands commands = new SlurmCommands(
                environment,
                SlurmCommands.runner(null, Reach.here(environment), commandMillis),
                System.getProperty("user.name"));
        ClusterAccess site = LocalAccess.of(commands, environment);
        Path place = folder.resolve("run");
        WorkflowRun opened;
        if (RunFiles.isRun(place)) {
            opened = WorkflowRun.open(place, agentFiles);
        } else {
            Pools pools = commands.pools(List.of(options), 1, true);
            RunSpec spec = new RunSpecBuilder(ID, "fan", folder, strategy)
                    .fileEdges(true)
                    .nodes(pools.count() == 0 ? commands.nodes(List.of(options)).count() : pools.maxNodes(), 1)
                    .pools(pools)
                    .cap(cap)
                    .outputPatience(10_000)
                    .on(new Placement(SlurmCommands.SYSTEM.name(), List.of(options)))
                    .build();
            opened = WorkflowRun.create(place, spec, WorkflowRun.Tasks.of(workflow), agentFiles, site);
        }
        run = opened;
        ManagerLease lease = new ManagerLease(true, ServerSettings.loopback());
        return CompletableFuture.supplyAsync(() -> {
            try {
                return opened.execute(new Listener(), lease, site);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    WorkflowRun run() {
        return Objects.requireNonNull(run);
    }

    /** Waits for the end of a run and returns how it ended. */
    RunLoop.Ending await(CompletableFuture<RunLoop.Ending> ending) throws Exception {
        try {
            return ending.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("the run does not end: " + messages + " " + events + "\n"
                    + slurm.run("squeue", "-t", "all").text());
        }
    }

    /** Waits until a condition holds. */
    <E extends Exception> void until(String description, Await.Condition<E> condition) throws E, InterruptedException {
        Await.until(() -> description + "; " + messages + " " + events, condition);
    }

    /** Numbers of the run's jobs in the queue that have a given state. */
    List<String> jobs(String state) {
        return slurm.query("squeue", "-h", "-t", state, "-o", "%i %j")
                .lines()
                .filter(line -> line.contains(" sheaf-"))
                .map(line -> line.split(" ")[0])
                .toList();
    }

    /** Waits for a job in a given state and returns its number. */
    String awaitJob(String state) throws Exception {
        until("a job is " + state, () -> !jobs(state).isEmpty());
        return jobs(state).get(0);
    }

    /** Checks that every task is committed once, outputs are correct and no job is left. */
    void assertDone() throws Exception {
        Manager manager = Objects.requireNonNull(run().manager());
        assertThat(manager.isFailed() || manager.isCancelled())
                .as(messages.toString())
                .isFalse();
        List<String> lines = lines();
        assertThat(new HashSet<>(lines)).as("an attempt runs once").hasSize(lines.size());
        for (int task = 0; task < workflow.size(); task++) {
            assertThat(lines).contains(workflow.id(task) + " " + manager.committed(task));
        }
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < width; i++) {
            expected.append("seed\n").append(i).append('\n');
        }
        assertThat(folder.resolve("last.txt")).hasContent(expected.toString());
        assertNothingIsLeft();
    }

    /** Waits until no job of the run is in the queue, and none of its processes is left. */
    void assertNothingIsLeft() throws Exception {
        until("no job is left", () -> slurm.run("squeue", "-h", "-o", "%j")
                .text()
                .lines()
                .noneMatch(name -> name.startsWith("sheaf-")));
        until("no process is left", () -> new Fence(ID).all().isEmpty());
    }

    /** Records events and messages. */
    private final class Listener implements RunListener {
        @Override
        public void happened(Event event, Manager manager) {
            events.add(event);
        }

        @Override
        public void message(String text) {
            messages.add(text);
        }
    }
}
