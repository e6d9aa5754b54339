package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Orders of ready tasks. */
class TaskOrderTest {
    /** Milliseconds 5, 7, 5, 7, unknown; 0 → 3, 2 → 3. */
    private static Workflow five() {
        WorkflowBuilder b = new WorkflowBuilder("five");
        b.time(b.task("a"), 4_001);
        b.time(b.task("b"), 7_000);
        b.time(b.task("c"), 5_000);
        b.time(b.task("d"), 6_500);
        b.task("e");
        return b.edge(0, 3).edge(2, 3).build();
    }

    @Test
    void ranksFollowTheOrder() {
        assertThat(TaskOrder.BY_NUMBER.ranks(five(), Resources.node(1))).containsExactly(0, 1, 2, 3, 4);
        // e, which may be longer than all others; b and d (7), a and c (5).
        assertThat(TaskOrder.LONGEST_FIRST.ranks(five(), Resources.node(1))).containsExactly(3, 1, 4, 2, 0);
        assertThat(TaskOrder.LONGEST_FIRST_GREATER_NUMBER.ranks(five(), Resources.node(1)))
                .containsExactly(4, 2, 3, 1, 0);
        // Bottom levels 12, 7, 12, 7, unknown.
        assertThat(TaskOrder.BOTTOM_LEVEL.ranks(five(), Resources.node(1))).containsExactly(1, 3, 2, 4, 0);
    }

    /** Four tasks of unknown times, of categories x, x, y, x: the first of each category goes first. */
    @Test
    void theFirstTaskOfEachCategoryGoesFirst() {
        WorkflowBuilder b = new WorkflowBuilder("four");
        for (String category : new String[] {"x", "x", "y", "x"}) {
            int task = b.task(category + b.size());
            b.category(task, category);
        }
        assertThat(TaskOrder.BOTTOM_LEVEL.ranks(b.build(), Resources.node(1))).containsExactly(0, 2, 1, 3);
    }

    /** Of tasks with paths of 10, 10, 12, 9, 30 and 4 ms those above half of 64 bytes go first among paths of 8 to 15 ms. */
    @Test
    void largeTasksGoFirstAmongPathsOfSimilarLength() {
        WorkflowBuilder b = new WorkflowBuilder("six");
        long[][] tasks = {{10, 32}, {10, 33}, {12, 8}, {9, 40}, {30, 1}, {4, 64}};
        for (long[] task : tasks) {
            int id = b.task("t" + b.size());
            b.time(id, task[0] * 1_000);
            b.resources(id, Resources.ONE_CORE.memory(task[1]));
        }
        assertThat(TaskOrder.BOTTOM_LEVEL.ranks(b.build(), Resources.node(4, 64, 0)))
                .containsExactly(4, 2, 3, 1, 0, 5);
        assertThat(TaskOrder.BOTTOM_LEVEL.ranks(b.build(), Resources.node(4))).containsExactly(2, 3, 1, 4, 0, 5);
    }
}
