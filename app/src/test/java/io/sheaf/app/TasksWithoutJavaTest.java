package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the shell part of the command, which answers for tasks without Java where that is safe. Java is missing here,
 * so that requests for it fail.
 */
class TasksWithoutJavaTest {
    private static final Path HEAD = Path.of("src/main/sh/head.sh").toAbsolutePath();
    private static final String ID = "12e896154f588448";

    @TempDir
    Path folder = Path.of("");

    private Finished launch(Map<String, String> more, String... words) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(
                Map.of("PATH", folder.toString(), "JAVA_HOME", "", "HOME", folder.toString(), "XDG_CONFIG_HOME", ""));
        environment.putAll(more);
        List<String> line = new ArrayList<>(List.of("/bin/sh", HEAD.toString()));
        line.addAll(List.of(words));
        return Finished.run(folder, environment, 20, line);
    }

    private void writeQueue(String task, String owner) throws IOException {
        Path queue = folder.resolve(".sheaf/queue");
        Files.createDirectories(queue.resolve("tasks"));
        Files.writeString(queue.resolve("tasks").resolve(ID), task + "\n");
        Files.writeString(queue.resolve("manager"), owner + " 4 2 sheaf-task 1\n");
    }

    private void assertLeftToJava(Finished result) {
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).endsWith("sheaf: no Java found; install Java 17 or later, or set JAVA_HOME\n");
        assertThat(result.status()).isEqualTo(4);
    }

    @Test
    void endedTasksAreReportedWithoutALiveManager() throws IOException, InterruptedException {
        writeQueue("success", "elsewhere 1 1");
        assertThat(launch(Map.of(), "task-status", ID).out()).isEqualTo("success\n");
        writeQueue("failed exit status 3 of 'a b'", "");
        Finished failed = launch(Map.of(), "task-status", ID);
        assertThat(failed.out()).isEqualTo("failed\n");
        assertThat(failed.status()).isZero();
    }

    @Test
    void waitingTasksAreRunningWhileTheManagerIsLive() throws IOException, InterruptedException {
        String self = LeaseOwner.text();
        for (String word : List.of("waiting", "running")) {
            writeQueue(word, self);
            assertThat(launch(Map.of(), "task-status", ID).out()).isEqualTo("running\n");
        }
        // The process id may be that of another process, the manager may be on another machine, or it is about to end.
        writeQueue("running", self.replaceFirst("[0-9]+$", "1"));
        assertLeftToJava(launch(Map.of(), "task-status", ID));
        writeQueue("running", "not-" + self);
        assertLeftToJava(launch(Map.of(), "task-status", ID));
        writeQueue("running", self);
        Files.writeString(folder.resolve(".sheaf/queue/ending"), "");
        assertLeftToJava(launch(Map.of(), "task-status", ID));
    }

    /** A status query waits for the end of its task, but not if the end of another task is unreported. */
    @Test
    void aStatusQueryWaitsForTheEndOfItsTask() throws IOException, InterruptedException {
        installTools();
        writeQueue("running", LeaseOwner.text());
        Path queue = folder.resolve(".sheaf/queue");
        long from = System.nanoTime();
        Thread ending = new Thread(() -> {
            try {
                Thread.sleep(2_000);
                Files.writeString(queue.resolve("tasks").resolve(ID), "success\n");
                Files.writeString(queue.resolve("unreported").resolve(ID), "");
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        ending.start();
        Finished waited = launch(Map.of(), "task-status", "--wait", "15s", ID);
        ending.join();
        assertThat(waited.out()).as(waited.err()).isEqualTo("success\n");
        assertThat(System.nanoTime() - from).isBetween(2_000_000_000L, 10_000_000_000L);
        assertThat(launch(Map.of(), "task-status", "--wait", "15s", ID).out()).isEqualTo("success\n");
        assertThat(queue.resolve("unreported").resolve(ID)).doesNotExist();
        writeQueue("running", LeaseOwner.text());
        Files.writeString(queue.resolve("unreported/other"), "");
        from = System.nanoTime();
        assertThat(launch(Map.of(), "task-status", "--wait", "15s", ID).out()).isEqualTo("running\n");
        assertThat(System.nanoTime() - from).isLessThan(7_000_000_000L);
    }

    /** Installs the programs that the shell needs. */
    private void installTools() throws IOException {
        for (String tool : List.of("date", "install", "sync", "mv", "mkdir", "rm", "sleep", "find", "head")) {
            Files.writeString(folder.resolve(tool), "#!/bin/sh\nPATH=/usr/bin:/bin exec " + tool + " \"$@\"\n");
            Files.setPosixFilePermissions(folder.resolve(tool), PosixFilePermissions.fromString("rwx------"));
        }
    }

    private List<Path> files(String below) throws IOException {
        Path queueFolder = folder.resolve(".sheaf/queue").resolve(below);
        try (Stream<Path> all = Files.isDirectory(queueFolder) ? Files.list(queueFolder) : Stream.empty()) {
            return all.sorted().toList();
        }
    }

    /** The test submits through a shell of a shell and is recorded with its tasks. */
    @Test
    void theSubmittingProgramIsRecordedWithItsTasks() throws IOException, InterruptedException {
        installTools();
        writeQueue("success", LeaseOwner.text());
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Finished submitted = Finished.run(
                    folder,
                    Map.of("PATH", folder.toString(), "JAVA_HOME", "", "HOME", folder.toString()),
                    20,
                    List.of("/bin/sh", "-c", "/bin/sh '" + HEAD + "' submit-task -- true; true"));
            assertThat(submitted.err()).isEmpty();
            ids.add(submitted.out().strip());
        }
        ControlFolder inbox = new ControlFolder(folder.resolve(".sheaf/queue/run"));
        assertThat(inbox.isAwaited()).isTrue();
        assertThat(inbox.submittedBy(ProcessHandle.current().pid())).isEqualTo(ids);
    }

    @Test
    void plainTasksAreSubmittedWithoutJava() throws IOException, InterruptedException {
        installTools();
        writeQueue("success", LeaseOwner.text());
        Path script = Files.writeString(folder.resolve("job.sh"), "#!/bin/sh\necho done\n");
        List<String> odd = List.of("a b", "it's \"$HOME\" \\n %s", "two\nlines", "é", "");
        List<String> words = new ArrayList<>(
                List.of("submit-task", "--on", "slurm", "--cores", "2", "--mem", "500M", "--time", "3m"));
        words.addAll(List.of("--category", "align", "--after", ID, "--", "./job.sh"));
        words.addAll(odd);
        Finished submitted = launch(Map.of(), words.toArray(String[]::new));
        assertThat(submitted.err()).isEmpty();
        assertThat(submitted.status()).isZero();
        String id = submitted.out().strip();
        assertThat(id).matches("[0-9a-f]{16}");
        assertThat(new ControlFolder(folder.resolve(".sheaf/queue/run")).has(id))
                .isTrue();
        Path request = requests().get(0);
        assertThat(request.getFileName().toString()).matches("[0-9]{19}-" + id + "\\.request");
        Path realFolder = folder.toRealPath();
        List<String> fields = new ArrayList<>(
                List.of("sheaf-task 1", id, realFolder.toString(), "align", "2", "500M", "1", "3m", "0", " " + ID));
        fields.add(realFolder.resolve(".sheaf/queue/scripts").resolve(id).toString());
        fields.addAll(odd);
        assertThat(Files.readString(request)).isEqualTo(String.join("\0", fields) + "\0");
        assertThat(files("scripts").get(0)).hasSameTextualContentAs(script).isExecutable();
        assertThat(files("tasks")).hasSize(2).anySatisfy(task -> assertThat(task)
                .hasContent("waiting"));
        assertThat(launch(Map.of(), "submit-task", "--", "true").out()).matches("[0-9a-f]{16}\n");
        assertThat(requests()).hasSize(2);
    }

    /** Tasks that are submitted right after the first one need no Java: the starting manager will read them. */
    @Test
    void tasksAreSubmittedToAStartingManager() throws IOException, InterruptedException {
        installTools();
        writeQueue("success", "elsewhere 1 1");
        Path starting = folder.resolve(".sheaf/queue/starting");
        String self = LeaseOwner.text();
        for (String invalid : List.of(self, self.replaceFirst("[0-9]+$", "1") + "\n4 2 sheaf-task 1\n")) {
            Files.writeString(starting, invalid);
            assertLeftToJava(launch(Map.of(), "submit-task", "--", "true"));
        }
        assertThat(requests()).isEmpty();
        Files.writeString(starting, self + "\n4 2 sheaf-task 1\n");
        assertThat(launch(Map.of(), "submit-task", "--cores", "2", "--", "true").out())
                .matches("[0-9a-f]{16}\n");
        assertThat(requests()).hasSize(1);
        assertLeftToJava(launch(Map.of(), "submit-task", "--cores", "3", "--", "true"));
    }

    private List<Path> requests() throws IOException {
        return files("run/inbox").stream()
                .filter(file -> file.toString().endsWith(".request"))
                .toList();
    }

    /** If the shell does not submit a task itself, it creates no files and starts Java, which is missing. */
    @Test
    void otherTasksAreLeftToJava() throws IOException, InterruptedException {
        installTools();
        writeQueue("success", LeaseOwner.text());
        List<List<String>> lines = List.of(
                List.of("--cores", "3", "--", "true"),
                List.of("--cores", "many", "--", "true"),
                List.of("--cores", "0", "--", "true"),
                List.of("--task-nodes", "5", "--", "true"),
                List.of("--gpus", "1", "--", "true"),
                List.of("--time", "1:30:00", "--", "true"),
                List.of("--mem", "x", "--", "true"),
                List.of("--cores=1", "--", "true"),
                List.of("--json", "--", "true"),
                List.of("--queue", "another", "--", "true"),
                List.of("--after", "0123456789abcdef", "--", "true"),
                List.of("--category", "a b", "--", "true"),
                List.of("--", "./absent.sh"),
                List.of("--"),
                List.of("true"),
                List.of("--help"));
        for (List<String> line : lines) {
            List<String> words = new ArrayList<>(List.of("submit-task"));
            words.addAll(line);
            assertLeftToJava(launch(Map.of(), words.toArray(String[]::new)));
        }
        Files.delete(folder.resolve("sync"));
        assertLeftToJava(launch(Map.of(), "submit-task", "--", "true"));
        assertThat(requests()).isEmpty();
        assertThat(files("tasks")).hasSize(1);
        assertThat(files("scripts")).isEmpty();
    }

    @Test
    void otherQueriesAreLeftToJava() throws IOException, InterruptedException {
        writeQueue("success", LeaseOwner.text());
        assertLeftToJava(launch(Map.of(), "task-status", ID, "--json"));
        assertLeftToJava(launch(Map.of(), "task-status", "../tasks/" + ID));
        assertLeftToJava(launch(Map.of(), "task-status", "0123456789abcdef"));
        assertLeftToJava(launch(Map.of("SHEAF_JSON", "true"), "task-status", ID));
        assertLeftToJava(launch(Map.of(), "task-cancel", ID));
        Files.writeString(folder.resolve("sheaf.conf.yaml"), "json: true\n");
        assertLeftToJava(launch(Map.of(), "task-status", ID));
    }
}
