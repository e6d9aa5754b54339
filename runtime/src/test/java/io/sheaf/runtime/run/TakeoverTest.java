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

/** A process takes over a run: it knows what its predecessor had on record, and puts aside what has ended where that is much. */
class TakeoverTest {
    private static final Workflow NOTHING = new WorkflowBuilder("none").build();

    @TempDir
    Path folder = Path.of("");

    /** Two workflows of three tasks, of which the first is dropped. */
    private String play() throws IOException {
        ControlFolder requests = new ControlFolder(folder);
        try (NotedLoop run = new NotedLoop(folder, NOTHING)) {
            requests.put(request("a"));
            requests.put(request("b"));
            run.turn();
            run.reports(new Event.Accepted(run.clock, 1));
            requests.put(new ControlRequest.Drop("a"));
            run.turn();
            assertThat(run.taken.forest().endedTasks()).isEqualTo(3);
            return ManagerState.of(run.manager());
        }
    }

    private static ControlRequest request(String id) {
        return new ControlRequest.Submit(new Origin(id, "ann", 0, ""), chain(id, 3), List.of());
    }

    @Test
    void aRunThatHasNotBegunIsFresh() throws IOException {
        try (NotedLoop run = new NotedLoop(folder, chain("a", 1))) {
            assertThat(run.taken.recovery().isFresh()).isTrue();
            assertThat(run.taken.recovery().results()).isEmpty();
        }
    }

    @Test
    void itGoesOnWhereItsPredecessorWas() throws IOException {
        String before = play();
        try (NotedLoop run = new NotedLoop(folder, NOTHING)) {
            assertThat(run.taken.recovery().isFresh()).isFalse();
            assertThat(ManagerState.of(run.manager())).isEqualTo(before);
            assertThat(run.taken.forest().parts())
                    .extracting(part -> part.origin().id())
                    .containsExactly("a", "b");
        }
    }

    /** Three of six tasks have ended. */
    @Test
    void whatHasEndedIsPutAsideIfItIsMuch() throws IOException {
        String before = play();
        try (NotedLoop little = new NotedLoop(folder, NOTHING, 4)) {
            assertThat(ManagerState.of(little.manager())).isEqualTo(before);
            assertThat(folder.resolve("past")).doesNotExist();
        }
        // On record, but its file was not removed; it would be taken for a new one when the first is put aside.
        new ControlFolder(folder).put(request("a"));
        try (NotedLoop much = new NotedLoop(folder, NOTHING, 3)) {
            assertThat(new ControlFolder(folder).isEmpty()).isTrue();
            assertThat(much.taken.forest().parts())
                    .extracting(part -> part.origin().id())
                    .containsExactly("b");
            assertThat(much.manager().workflow().size()).isEqualTo(3);
            assertThat(folder.resolve("past/0001/journal")).isNotEmptyDirectory();
            assertThat(much.noted).as("its pilot job is kept").containsExactly("reconcile [1]");
        }
        try (NotedLoop after = new NotedLoop(folder, NOTHING, 3)) {
            assertThat(after.manager().workflow().id(0)).isEqualTo("b/0");
        }
    }
}
