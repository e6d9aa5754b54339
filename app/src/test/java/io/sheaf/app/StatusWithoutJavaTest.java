package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.local.WorkflowRun;
import io.sheaf.testing.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell that starts Java answers for tasks by itself where that is safe; here there is no Java, so that it can be told who would answer. */
class StatusWithoutJavaTest {
    private static final Path HEAD = Path.of("src/main/sh/head.sh").toAbsolutePath();
    private static final String ID = "12e896154f588448";

    @TempDir
    Path folder = Path.of("");

    private Finished ask(Map<String, String> more, String... words) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(
                Map.of("PATH", folder.toString(), "JAVA_HOME", "", "HOME", folder.toString(), "XDG_CONFIG_HOME", ""));
        environment.putAll(more);
        List<String> line = new ArrayList<>(List.of("/bin/sh", HEAD.toString()));
        line.addAll(List.of(words));
        return Finished.run(folder, environment, 20, line);
    }

    private void queue(String task, String inCharge) throws IOException {
        Path queue = folder.resolve(".sheaf/queue");
        Files.createDirectories(queue.resolve("tasks"));
        Files.writeString(queue.resolve("tasks").resolve(ID), task + "\n");
        Files.writeString(queue.resolve("in-charge"), inCharge + "\n");
    }

    private void assertJavaIsWanted(Finished asked) {
        assertThat(asked.out()).isEmpty();
        assertThat(asked.err()).startsWith("sheaf: no Java found");
        assertThat(asked.status()).isEqualTo(4);
    }

    @Test
    void anEndIsAnEndWhoeverIsInCharge() throws IOException, InterruptedException {
        queue("success", "elsewhere 1 1");
        assertThat(ask(Map.of(), "task-status", ID).out()).isEqualTo("success\n");
        queue("failed exit status 3 of 'a b'", "");
        Finished failed = ask(Map.of(), "task-status", ID);
        assertThat(failed.out()).isEqualTo("failed\n");
        assertThat(failed.status()).isZero();
    }

    @Test
    void whatWaitsCountsAsRunningWhileItsProcessLives() throws IOException, InterruptedException {
        String self = WorkflowRun.thisProcess();
        for (String word : List.of("waiting", "running")) {
            queue(word, self);
            assertThat(ask(Map.of(), "task-status", ID).out()).isEqualTo("running\n");
        }
        // Another process may have the number by now, or be on another machine; or it is about to end.
        queue("running", self.replaceFirst("[0-9]+$", "1"));
        assertJavaIsWanted(ask(Map.of(), "task-status", ID));
        queue("running", "not-" + self);
        assertJavaIsWanted(ask(Map.of(), "task-status", ID));
        queue("running", self);
        Files.writeString(folder.resolve(".sheaf/queue/ending"), "");
        assertJavaIsWanted(ask(Map.of(), "task-status", ID));
    }

    @Test
    void whatIsNotPlainIsLeftToJava() throws IOException, InterruptedException {
        queue("success", WorkflowRun.thisProcess());
        assertJavaIsWanted(ask(Map.of(), "task-status", ID, "--json"));
        assertJavaIsWanted(ask(Map.of(), "task-status", "../tasks/" + ID));
        assertJavaIsWanted(ask(Map.of(), "task-status", "0123456789abcdef"));
        assertJavaIsWanted(ask(Map.of("SHEAF_JSON", "true"), "task-status", ID));
        assertJavaIsWanted(ask(Map.of(), "task-cancel", ID));
        Files.writeString(folder.resolve("sheaf.conf.yaml"), "json: true\n");
        assertJavaIsWanted(ask(Map.of(), "task-status", ID));
    }
}
