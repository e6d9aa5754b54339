package io.sheaf.runtime.run;

import static io.sheaf.runtime.run.NotedLoop.chain;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.runtime.control.ControlFolder;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.testing.ManagerState;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that takes over a run restores its recorded state, and archives ended workflows if they have many tasks.
 */
class TakeoverTest {
    private static final Workflow NOTHING = new WorkflowBuilder("none").build();

    @TempDir
    Path folder = Path.of("");

    /** Two workflows of three tasks, of which the first is dropped. */
    private String runPredecessor() throws IOException {
        ControlFolder requests = new ControlFolder(folder);
        try (NotedLoop run = new NotedLoop(folder, NOTHING)) {
            requests.put(request("a"));
            requests.put(request("b"));
            run.turn();
            run.reports(new Event.Accepted(run.clock, 1));
            requests.put(new ControlRequest.Drop("a"));
            run.turn();
            assertThat(run.restored.forest().endedTasks()).isEqualTo(3);
            return ManagerState.of(run.manager());
        }
    }

    private static ControlRequest request(String id) {
        return new ControlRequest.Submit(new Origin(id, "ann", 0, ""), chain(id, 3), List.of());
    }

    @Test
    void aRunThatHasNotBegunIsFresh() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 1))) {
            assertThat(run.restored.recovery().isFresh()).isTrue();
            assertThat(run.restored.recovery().results()).isEmpty();
        }
    }

    @Test
    void theStateOfThePredecessorIsRestored() throws IOException {
        String before = runPredecessor();
        try (NotedLoop run = new NotedLoop(folder, NOTHING)) {
            assertThat(run.restored.recovery().isFresh()).isFalse();
            assertThat(ManagerState.of(run.manager())).isEqualTo(before);
            assertThat(run.restored.forest().parts())
                    .extracting(part -> part.origin().id())
                    .containsExactly("a", "b");
        }
    }

    /** Three of six tasks have ended. */
    @Test
    void endedWorkflowsAreArchivedIfTheyHaveManyTasks() throws IOException {
        String before = runPredecessor();
        try (NotedLoop notArchiving = new NotedLoop(folder, NOTHING, 4)) {
            assertThat(ManagerState.of(notArchiving.manager())).isEqualTo(before);
            assertThat(folder.resolve("past")).doesNotExist();
        }
        // The request is recorded, but its file was not removed. It would count as new after its workflow is archived.
        new ControlFolder(folder).put(request("a"));
        try (NotedLoop archiving = new NotedLoop(folder, NOTHING, 3)) {
            assertThat(new ControlFolder(folder).isEmpty()).isTrue();
            assertThat(archiving.restored.forest().parts())
                    .extracting(part -> part.origin().id())
                    .containsExactly("b");
            assertThat(archiving.manager().workflow().size()).isEqualTo(3);
            assertThat(folder.resolve("past/0001/journal")).isNotEmptyDirectory();
            assertThat(archiving.recorded).as("its pilot job is kept").containsExactly("reconcile [1]");
        }
        try (NotedLoop after = new NotedLoop(folder, NOTHING, 3)) {
            assertThat(after.manager().workflow().id(0)).isEqualTo("b/0");
        }
    }
}
