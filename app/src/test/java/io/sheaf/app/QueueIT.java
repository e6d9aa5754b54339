package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.control.LivingProcess;
import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests {@code submit-task} and the other task commands with the built command and real processes. */
@Execution(ExecutionMode.CONCURRENT)
class QueueIT {
    private static final int TIMEOUT_SECONDS = 120;

    @TempDir
    Path folder = Path.of("");

    @BeforeEach
    void script() throws IOException {
        Path script = folder.resolve("job.sh");
        Files.writeString(script, "#!/bin/sh\necho $1 >> log.txt\n[ $1 != long ] || sleep 300\n[ $1 != bad ]\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    /** Ends all managers and tasks of the test. */
    @AfterEach
    void end() throws IOException, InterruptedException {
        RealRun.endProcesses(folder);
    }

    private Finished sheaf(String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(RealRun.BUILT.toString()));
        line.addAll(List.of(args));
        Map<String, String> environment =
                Map.of("SHEAF_CACHE", RealRun.CACHE.toString(), "JAVA_HOME", System.getProperty("java.home"));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    private String submit(String... args) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("submit-task", "--idle", "4s", "--time", "1s"));
        line.addAll(List.of(args));
        Finished finished = sheaf(line.toArray(String[]::new));
        assertThat(finished.status()).as(finished.err()).isZero();
        assertThat(finished.out()).matches("[0-9a-f]{16}\n");
        return finished.out().strip();
    }

    /** The message names the line of the wrong request; the task before it is submitted. */
    @Test
    void aWrongRequestEndsTheStreamAndItsLineIsNamed() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("requests"), """
                {"submit": [{"id": "a", "folder": "%s", "command": ["true"]}]}
                {"submit": [{"id": "b"}]}
                """.formatted(folder));
        Finished finished = Finished.run(
                folder,
                Map.of("SHEAF_CACHE", RealRun.CACHE.toString(), "JAVA_HOME", System.getProperty("java.home")),
                TIMEOUT_SECONDS,
                List.of("sh", "-c", RealRun.BUILT + " task-stream --queue .sheaf/queue --idle 1s <requests"));
        assertThat(finished.status()).isEqualTo(3);
        assertThat(finished.out()).contains("{\"accepted\":[\"a\"]}");
        assertThat(finished.err()).isEqualTo("sheaf: standard input, line 2: a task needs id, folder and command\n");
    }

    private String await(String id, String... states) throws IOException, InterruptedException {
        Path file = folder.resolve(".sheaf/queue/tasks").resolve(id);
        return Await.found(() -> Files.readString(folder.resolve(".sheaf/queue/run/manager.log")), () -> {
            String word = Files.readString(file).strip().split(" ")[0];
            return List.of(states).contains(word) ? word : null;
        });
    }

    /** The manager processes of this test's queue on this machine. */
    private List<ProcessHandle> managers() {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String line = process.info().commandLine().orElse("");
                    return line.contains("--run-manager") && line.contains(folder.toString());
                })
                .toList();
    }

    @Test
    void tasksRunInOrderFailAndAreCancelled() throws IOException, InterruptedException {
        String first = submit("--", "./job.sh", "first");
        Files.writeString(folder.resolve("job.sh"), "exit 9\n");
        String second = submit("--after", first, "--", "sh", "-c", "echo second >> log.txt");
        script();
        String bad = submit("--after", first, second, "--", "./job.sh", "bad");
        String never = submit("--after", bad, "--", "./job.sh", "never");
        assertThat(await(never, "success", "failed")).isEqualTo("failed");
        assertThat(sheaf("task-status", first, second, bad, never).out())
                .isEqualTo("success\nsuccess\nfailed\nfailed\n");
        assertThat(sheaf("task-status", bad, "--json").out()).contains("\"why\" : \"exit status 1\"");
        assertThat(Files.readAllLines(folder.resolve("log.txt"))).containsExactly("first", "second", "bad");
        String running = submit("--", "./job.sh", "long");
        await(running, "running");
        assertThat(sheaf("task-status", running).out()).isEqualTo("running\n");
        assertThat(sheaf("task-cancel", running).status()).isZero();
        assertThat(await(running, "success", "failed")).isEqualTo("failed");
        assertThat(sheaf("task-cancel").err()).contains("expected task ids, or --submitted-by PID");
        String last = submit("--", "./job.sh", "long");
        String pid = String.valueOf(ProcessHandle.current().pid());
        assertThat(sheaf("task-cancel", "--submitted-by", pid, "--json").out()).contains("\"cancelled\" : 1");
        assertThat(await(last, "success", "failed")).isEqualTo("failed");
        assertThat(sheaf("task-status", "nobody").err()).contains("there is no task 'nobody'");
        assertThat(sheaf("submit-task", "--cores", "9", "--", "true").err())
                .contains("needs 9 cores on a node; the largest node has 1")
                .hasLineCount(1);
        assertThat(sheaf("submit-task", "--after", "nobody", "--", "true").status())
                .isEqualTo(3);
    }

    /** The caller, such as Snakemake at Ctrl-C, does not read the task id: the pipe to it is full. */
    @Test
    void anInterruptedSubmissionLeavesNoTask() throws IOException, InterruptedException {
        String wait = "mkfifo full; exec 3<>full; head -c 65536 /dev/zero >&3; exec env --default-signal=INT '"
                + RealRun.BUILT + "' submit-task --idle 3s --nodes 1 -- ./job.sh long >&3";
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", wait)
                .directory(folder.toFile())
                .redirectError(folder.resolve("err.txt").toFile());
        builder.environment().put("SHEAF_CACHE", RealRun.CACHE.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process submission = builder.start();
        String id = Await.found(() -> Files.readString(folder.resolve("err.txt")), () -> {
            Path[] tasks = taskFiles(folder.resolve(".sheaf/queue/tasks"));
            return tasks.length == 0 ? null : tasks[0].getFileName().toString();
        });
        await(id, "running");
        assertThat(submission.isAlive()).isTrue();
        new ProcessBuilder("kill", "-INT", String.valueOf(submission.pid()))
                .start()
                .waitFor();
        assertThat(submission.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(await(id, "success", "failed")).isEqualTo("failed");
    }

    private static Path[] taskFiles(Path tasks) throws IOException {
        if (!Files.isDirectory(tasks)) {
            return new Path[0];
        }
        try (Stream<Path> files = Files.list(tasks)) {
            return files.filter(file -> file.getFileName().toString().matches("[0-9a-f]{16}"))
                    .toArray(Path[]::new);
        }
    }

    @Test
    void anIdleManagerEndsByItselfAndAnotherIsStarted() throws IOException, InterruptedException {
        String first = submit("--hold", "0s", "--", "./job.sh", "first");
        await(first, "success");
        Await.until("the manager has ended", () -> managers().isEmpty());
        Finished watched = sheaf("watch", ".sheaf/queue/run");
        assertThat(watched.status()).as(watched.err()).isZero();
        assertThat(watched.out()).contains("idle: no manager is running");
        String second = submit("--after", first, "--", "./job.sh", "second");
        await(second, "success");
        assertThat(Files.readAllLines(folder.resolve("log.txt"))).containsExactly("first", "second");
    }

    /** Slow: a folder counts as removed only after half a minute, as network file systems hide folders for a while. */
    @Test
    @Tag("slow")
    void aManagerEndsIfItsQueueIsRemoved() throws IOException, InterruptedException {
        String running = submit("--", "./job.sh", "long");
        await(running, "running");
        assertThat(managers()).isNotEmpty();
        Files.move(folder.resolve(".sheaf"), folder.resolve("removed"));
        Await.until("the manager has ended", () -> managers().isEmpty());
        assertThat(Files.readString(folder.resolve("removed/queue/run/manager.log")))
                .contains("the run folder was removed; this process cancels its jobs and stops");
        assertThat(folder.resolve(".sheaf/queue/run/journal")).doesNotExist();
    }

    /** A poll fails because the file of states is a directory. Later polls detect that the folder was removed. */
    @Test
    void aStreamReportsARemovedQueueAfterAnEarlierError() throws IOException, InterruptedException {
        Path out = folder.resolve("lines");
        Path err = folder.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(
                        RealRun.BUILT.toString(), "task-stream", "--queue", ".sheaf/queue", "--nodes", "1")
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("SHEAF_CACHE", RealRun.CACHE.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process stream = builder.start();
        try (Writer requests = stream.outputWriter()) {
            requests.write("{\"submit\": [{\"id\": \"t\", \"folder\": \"" + folder
                    + "\", \"command\": [\"./job.sh\", \"long\"]}]}\n");
            requests.flush();
            Await.until("the task runs", () -> Files.readString(out).contains("\"running\""));
            Path states = folder.resolve(".sheaf/queue/states");
            Files.move(states, folder.resolve("states"));
            Files.createDirectory(states);
            Await.until(
                    "the stream reports the error", () -> Files.readString(err).contains("directory"));
            Files.move(folder.resolve(".sheaf"), folder.resolve("removed"));
            Await.until("the stream reports the task as failed", () -> Files.readString(out)
                    .contains("\"failed\",\"reason\":\"the queue's folder was removed\""));
        }
        assertThat(stream.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aQueueRecreatedAtTheSamePathLosesNoTask() throws IOException, InterruptedException {
        Finished first = sheaf("submit-task", "--idle", "60s", "--hold", "0s", "--time", "1s", "--", "./job.sh", "old");
        await(first.out().strip(), "success");
        List<ProcessHandle> old = managers();
        Finished.run(folder, Map.of(), TIMEOUT_SECONDS, List.of("rm", "-rf", ".sheaf"));
        List<String> ids = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("old"));
        for (int i = 0; i < 6; i++) {
            names.add("new" + i);
            ids.add(
                    i % 2 == 0
                            ? submit("--", "./job.sh", "new" + i)
                            : submit("--after", ids.get(i - 1), "--", "./job.sh", "new" + i));
        }
        for (String id : ids) {
            assertThat(await(id, "success", "failed")).isEqualTo("success");
        }
        assertThat(Files.readAllLines(folder.resolve("log.txt"))).containsExactlyInAnyOrderElementsOf(names);
        Await.until("the old manager has ended", () -> old.stream().noneMatch(ProcessHandle::isAlive));
        String last = submit("--", "./job.sh", "last");
        assertThat(await(last, "success", "failed")).isEqualTo("success");
    }

    /** The submitting process, here the test, is alive and may submit more tasks, so the manager keeps the nodes. */
    @Test
    void idleNodesAreKeptForLaterTasks() throws IOException, InterruptedException {
        String first = submit("--hold", "2m", "--", "./job.sh", "first");
        await(first, "success");
        String second = submit("--", "./job.sh", "second");
        await(second, "success");
        List<String> log = Files.readAllLines(folder.resolve(".sheaf/queue/run/manager.log"));
        assertThat(log).filteredOn(line -> line.contains(" submitted for ")).hasSize(1);
        assertThat(log).anyMatch(line -> line.contains("kept because more tasks"));
    }

    /** The next command submits no task, but queries a status. */
    @Test
    void aKilledManagerIsReplacedByTheNextCommand() throws IOException, InterruptedException {
        String first = submit("--", "sh", "-c", "echo first >> log.txt; sleep 3");
        await(first, "running");
        String second = submit("--after", first, "--", "./job.sh", "second");
        List<ProcessHandle> killed = managers();
        assertThat(killed).isNotEmpty();
        killed.forEach(ProcessHandle::destroyForcibly);
        // The command line disappears before the process does.
        Await.until(
                "the manager has ended", () -> killed.stream().allMatch(each -> LivingProcess.of(each.pid()) == null));
        assertThat(sheaf("task-status", second).out()).isEqualTo("running\n");
        await(second, "success");
        assertThat(Files.readAllLines(folder.resolve("log.txt"))).containsExactly("first", "second");
    }
}
