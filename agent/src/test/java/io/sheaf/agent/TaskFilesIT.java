package io.sheaf.agent;

import static io.sheaf.agent.Jobs.attempt;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Message.Start;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests how the agent handles the files of tasks, isolated or not. */
@Timeout(1200)
class TaskFilesIT {
    @TempDir
    static Path runPath = Path.of("");

    @TempDir
    Path folder = Path.of("");

    private static TestNode node;
    private static int task;

    @BeforeAll
    static void connect() throws IOException, InterruptedException {
        node = TestNode.connect(runPath, AgentSettings.cores("r" + runPath, 1));
    }

    @AfterAll
    static void disconnect() throws InterruptedException {
        node.close();
    }

    private Ended run(boolean isolated, String script, List<String> inputs, List<String> outputs)
            throws InterruptedException {
        send(isolated, script, inputs, outputs, 500);
        return node.manager().ended(attempt(task));
    }

    private void send(boolean isolated, String script, List<String> inputs, List<String> outputs, int patienceMillis) {
        node.send(new Start(
                attempt(++task),
                Jobs.shell(script),
                Needs.cores(1),
                Jobs.files(folder, task, isolated, inputs, outputs, patienceMillis)));
    }

    @Test
    void outputsAreReportedWithSizeAndTime() throws IOException, InterruptedException {
        long before = System.currentTimeMillis();
        Ended ended = run(false, "printf 12345 > deep/er/b", List.of(), List.of("deep/er/b"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        Output output = ended.outputs().get(0);
        assertThat(output.name()).isEqualTo("deep/er/b");
        assertThat(output.bytes()).isEqualTo(5);
        assertThat(output.modifiedMillis()).isBetween(before - 2_000, System.currentTimeMillis() + 2_000);
    }

    @Test
    void staleOutputsAreRemovedBeforeAnAttempt() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("b"), "of an earlier attempt");
        Ended ended = run(false, "true", List.of(), List.of("b"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.OUTPUT_ABSENT);
        assertThat(ended.reason()).isEqualTo("exit status 0, but its output 'b' did not appear within 0 s");
        assertThat(folder.resolve("b")).doesNotExist();
    }

    @Test
    void anOutputThatIsAlsoAnInputIsNotRemoved() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("a"), "1\n");
        Ended ended = run(false, "echo 2 >> a", List.of("a"), List.of("a"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(folder.resolve("a")).hasContent("1\n2");
    }

    @Test
    void lateOutputsAreAwaitedWithoutDelayingOtherTasks() throws IOException, InterruptedException {
        send(false, "true", List.of(), List.of("late"), 20_000);
        int late = task;
        Ended next = run(false, "true", List.of(), List.of());
        assertThat(next.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        Files.writeString(folder.resolve("late"), "here");
        Ended ended = node.manager().ended(attempt(late));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(ended.outputs().get(0).bytes()).isEqualTo(4);
    }

    @Test
    void anIsolatedTaskSeesItsInputsAndPublishesItsOutputs() throws IOException, InterruptedException {
        Files.createDirectory(folder.resolve("in"));
        Files.writeString(folder.resolve("in/a"), "text");
        Ended ended = run(true, "cat in/a > out/b; cat in/a > scrap; pwd", List.of("in/a"), List.of("out/b"));
        assertThat(ended.reason()).isEmpty();
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(ended.outputs()).singleElement().extracting(Output::bytes).isEqualTo(4L);
        assertThat(folder.resolve("out/b")).hasContent("text");
        assertThat(folder.resolve("scrap")).doesNotExist();
        assertThat(Path.of(Files.readString(folder.resolve(task + ".1.out")).strip()))
                .doesNotExist();
    }

    @Test
    void aFailedIsolatedTaskLeavesTheOldOutputUnchanged() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("b"), "old");
        Ended ended = run(true, "echo half > b; exit 1", List.of(), List.of("b"));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.FAILED);
        assertThat(ended.reason()).contains("its files are in " + folder.resolve(".sheaf"));
        assertThat(folder.resolve("b")).hasContent("old");
    }
}
