package io.sheaf.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a task queue: its creation, the start and end of its manager, and states of tasks. */
class TaskQueueTest {
    @TempDir
    Path folder = Path.of("");

    private TaskQueue queue = new TaskQueue(Path.of(""));

    @BeforeEach
    void createQueue() throws IOException {
        queue = new TaskQueue(folder.resolve("queue"));
        assertThat(queue.isMade()).isFalse();
        assertThat(queue.take(open("one"))).isTrue();
    }

    private Path open(String id) throws IOException {
        RunSpec spec = new RunSpecBuilder(id, "tasks", folder, "glume")
                .nodes(4, 1)
                .keepGoing(true)
                .build();
        Path runFolder = queue.run().resolveSibling("run-" + id);
        WorkflowRun.createOpen(runFolder, spec, folder);
        return runFolder;
    }

    private static ControlRequest.Submit task(String id) {
        WorkflowBuilder builder = new WorkflowBuilder(id);
        builder.command(builder.task(id), Command.of(List.of("true")));
        return new ControlRequest.Submit(new Origin(id, "", 0, ""), builder.build(), List.of());
    }

    @Test
    void theFirstProcessThatCreatesTheQueueWins() throws IOException {
        assertThat(queue.isMade()).isTrue();
        assertThat(queue.take(open("two"))).isFalse();
        assertThat(folder.resolve("queue/run-two")).doesNotExist();
        assertThat(WorkflowRun.open(queue.run(), folder).spec().id()).isEqualTo("one");
    }

    @Test
    void aSubmittedTaskWaitsUntilItsStateIsWritten() throws IOException {
        queue.put(task("a"));
        assertThat(queue.report("a")).isEqualTo(new TaskReport(TaskPhase.WAITING, ""));
        queue.write("a", TaskPhase.FAILED, "exit status 1,\nsay its last lines");
        assertThat(queue.report("a")).isEqualTo(new TaskReport(TaskPhase.FAILED, "exit status 1, say its last lines"));
        assertThatThrownBy(() -> queue.report("b"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("there is no task 'b'");
        assertThatThrownBy(() -> queue.report("../a")).isInstanceOf(InputException.class);
    }

    @Test
    void aReaderOfTheStateLogReceivesEachStateOnce() throws IOException {
        StateLog log = queue.stateLog();
        List<String> states = new ArrayList<>();
        log.follow((id, report) -> states.add(id));
        assertThat(states).as("there is no log").isEmpty();
        queue.write("a", TaskPhase.RUNNING, "");
        queue.write("b", TaskPhase.FAILED, "exit status 1,\nits last lines");
        Files.writeString(folder.resolve("queue/states"), "c succ", StandardOpenOption.APPEND);
        log.follow((id, report) -> states.add(id + " " + report));
        Files.writeString(folder.resolve("queue/states"), "ess \nd nonsense \n\n", StandardOpenOption.APPEND);
        log.follow((id, report) -> states.add(id + " " + report));
        log.follow((id, report) -> states.add("unexpected"));
        assertThat(states)
                .containsExactly(
                        "a " + new TaskReport(TaskPhase.RUNNING, ""),
                        "b " + new TaskReport(TaskPhase.FAILED, "exit status 1, its last lines"),
                        "c " + new TaskReport(TaskPhase.SUCCESS, ""));
        assertThat(queue.report("a").phase()).isEqualTo(TaskPhase.RUNNING);
        queue.write("a", TaskPhase.SUCCESS, "");
        assertThat(queue.report("a").phase()).isEqualTo(TaskPhase.SUCCESS);
        assertThat(folder.resolve("queue/tasks")).as("no file for each task").doesNotExist();
    }

    /** A manager that was started and never took the lease does not block other starts forever. */
    @Test
    void onlyOneProcessStartsTheManager() throws IOException {
        assertThat(queue.mayStart()).isTrue();
        assertThat(queue.mayStart()).isFalse();
        Files.setLastModifiedTime(folder.resolve("queue/starting"), FileTime.fromMillis(1_000));
        assertThat(queue.mayStart()).isTrue();
        queue.begun(4, 1);
        assertThat(queue.mayStart()).isTrue();
    }

    /** The next process need not wait for one that was killed before it had the lease. */
    @Test
    void aManagerKilledWhileStartingIsDetectedAtOnce() throws IOException, InterruptedException {
        assertThat(queue.mayStart()).isTrue();
        Process started = new ProcessBuilder("sleep", "60").start();
        try {
            queue.starts(started.toHandle(), 4, 1);
            assertThat(queue.mayStart()).as("it is about to take the lease").isFalse();
        } finally {
            started.destroyForcibly().waitFor();
        }
        assertThat(queue.mayStart()).isTrue();
        queue.begun(4, 1);
        queue.starts(ProcessHandle.current(), 4, 1);
        assertThat(queue.mayStart())
                .as("it held the lease before the folder was marked")
                .isTrue();
        Files.writeString(folder.resolve("queue/starting"), "elsewhere 1 2");
        assertThat(queue.mayStart())
                .as("the process cannot be checked from here")
                .isFalse();
    }

    @Test
    void theManagerMayEndOnlyIfTheInboxIsEmpty() throws IOException {
        assertThat(queue.mayEnd()).isTrue();
        assertThat(queue.isEnding()).isTrue();
        queue.begin();
        assertThat(queue.isEnding()).isFalse();
        Files.writeString(folder.resolve("queue/ending"), LeaseOwner.text() + "0");
        assertThat(queue.isEnding()).as("the process that it names has ended").isFalse();
        queue.put(task("a"));
        assertThat(queue.mayEnd()).isFalse();
        queue.drop("a");
        assertThat(new ControlFolder(queue.run()).isEmpty()).isFalse();
    }

    @Test
    void aCallerWaitsForTheEndOfATask() throws IOException, InterruptedException {
        queue.noteEnd("a");
        queue.announceEnds(List.of("a"));
        assertThat(folder.resolve("queue/unreported")).as("no caller waits").doesNotExist();
        queue.write("a", TaskPhase.RUNNING, "");
        queue.write("b", TaskPhase.RUNNING, "");
        long from = System.nanoTime();
        queue.awaitEnd("a", 300);
        assertThat(System.nanoTime() - from).as("no task ended").isGreaterThan(300_000_000L);
        queue.noteEnd("b");
        queue.write("b", TaskPhase.SUCCESS, "");
        queue.announceEnds(List.of("b"));
        from = System.nanoTime();
        queue.awaitEnd("a", 60_000);
        assertThat(System.nanoTime() - from).as("another one ended").isLessThan(10_000_000_000L);
        queue.awaitEnd("b", 60_000);
        assertThat(folder.resolve("queue/unreported")).isEmptyDirectory();
        queue.noteEnd("a");
        queue.write("a", TaskPhase.SUCCESS, "");
        queue.awaitEnd("a", 60_000);
        queue.announceEnds(List.of("a"));
        assertThat(folder.resolve("queue/unreported"))
                .as("an end that was reported before its announcement")
                .isEmptyDirectory();
    }
}
