package io.sheaf.runtime.run;

import static io.sheaf.runtime.run.NotedLoop.chain;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The workflows of a run: the numbers of their tasks, and whether they are held, dropped or ended. */
class ForestTest {
    private static final Workflow NOTHING = new WorkflowBuilder("none").build();

    private final Manager manager = NotedLoop.manager(NOTHING, new Considerations.Notes());
    private final Forest forest = new Forest(NOTHING);
    private final Recovery events = new Recovery(manager, forest);

    /** Workflows of three, two and four tasks: numbers 0 to 2, 3 and 4, 5 to 8. */
    private void add() {
        events.event(new Event.Opened(1));
        add("a", 3);
        add("b", 2);
        add("c", 4);
    }

    private void add(String id, int tasks) {
        events.event(new Event.Grown(10, Addition.of(new Origin(id, "ann", 0, ""), chain(id, tasks))));
    }

    private Forest.ForestWorkflow part(String id) {
        Forest.ForestWorkflow found = forest.named(id);
        assertThat(found).as(id).isNotNull();
        return found == null ? forest.parts().get(0) : found;
    }

    @Test
    void aRunBeginsWithItsOwnWorkflow() {
        Forest own = new Forest(chain("a", 2));
        assertThat(own.parts()).hasSize(1);
        assertThat(own.parts().get(0).origin().id()).isEmpty();
        assertThat(own.of(1).tasks().id(1)).isEqualTo("a/1");
        assertThat(forest.parts()).as("a run without tasks").isEmpty();
    }

    @Test
    void addedWorkflowsAreNumberedInOrder() {
        add();
        assertThat(forest.parts()).extracting(Forest.ForestWorkflow::first).containsExactly(0, 3, 5);
        assertThat(forest.parts()).extracting(Forest.ForestWorkflow::number).containsExactly(0, 3, 5);
        assertThat(forest.of(4).origin().id()).isEqualTo("b");
        assertThat(forest.nextNumber()).isEqualTo(9);
        assertThat(forest.named("d")).isNull();
        assertThat(part("b").arrivedAt()).isEqualTo(10);
    }

    @Test
    void droppingAWorkflowEndsOnlyThatOne() {
        add();
        events.event(new Event.Dropped(20, 3, 2));
        assertThat(part("b").isDropped()).isTrue();
        assertThat(part("b").endedAt()).isEqualTo(20);
        assertThat(forest.endedTasks()).isEqualTo(2);
        assertThat(part("a").isDropped()).isFalse();
        assertThat(part("a").endedAt()).isEqualTo(-1);
    }

    /** Some tasks of a workflow are dropped by their numbers; the workflow as a whole is not. */
    @Test
    void aWorkflowWithSomeDroppedTasksIsNotDropped() {
        add();
        events.event(new Event.Dropped(20, 1, 2));
        assertThat(part("a").isDropped()).isFalse();
        assertThat(part("a").endedAt()).as("its first task is left").isEqualTo(-1);
        assertThat(forest.endedTasks()).isZero();
    }

    @Test
    void aWorkflowIsHeldIfAllItsTasksAreHeld() {
        add();
        events.event(new Event.Held(20, 0, 3, true));
        events.event(new Event.Held(20, 3, 1, true));
        assertThat(part("a").isHeld()).isTrue();
        assertThat(part("b").isHeld()).isFalse();
        events.event(new Event.Held(30, 0, 9, false));
        assertThat(part("a").isHeld()).isFalse();
    }

    /**
     * When the first workflow is archived, tasks of the second are numbered from 0 on; agents use their earlier
     * numbers.
     */
    @Test
    void agentsKeepTaskNumbersWhenWorkflowsAreArchived() {
        add();
        events.event(new Event.Dropped(20, 0, 3));
        Manager restored = NotedLoop.manager(NOTHING, new Considerations.Notes());
        Forest remaining = new Forest(NOTHING);
        RunCheckpoint.of(manager, forest, List.of(), 1).to(new Recovery(restored, remaining));
        assertThat(remaining.parts()).extracting(Forest.ForestWorkflow::first).containsExactly(0, 2);
        assertThat(remaining.parts()).extracting(Forest.ForestWorkflow::number).containsExactly(3, 5);
        assertThat(remaining.agentId(new AttemptId(1, 2))).isEqualTo(new AttemptId(4, 2));
        assertThat(remaining.localAttempt(new AttemptId(4, 2))).isEqualTo(new AttemptId(1, 2));
        assertThat(remaining.localAttempt(new AttemptId(2, 1))).as("archived").isNull();
        assertThat(remaining.localAttempt(new AttemptId(9, 1)))
                .as("not added yet")
                .isNull();
        assertThat(remaining.mayContain(2)).isFalse();
        assertThat(remaining.mayContain(4)).isTrue();
        assertThat(remaining.mayContain(9)).as("may be added").isTrue();
        assertThat(remaining.nextNumber()).isEqualTo(9);
    }
}
