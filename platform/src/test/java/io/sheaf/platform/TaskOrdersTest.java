package io.sheaf.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.formats.Source;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the order that breaks ties, which is read from a file. */
class TaskOrdersTest {
    private static final Workflow THREE = three();

    private static Workflow three() {
        WorkflowBuilder builder = new WorkflowBuilder("three");
        builder.time(builder.task("a"), 1);
        builder.time(builder.task("b"), 1);
        builder.time(builder.task("c"), 1);
        return builder.build();
    }

    private static int[] read(String text, boolean portfolio) {
        Source source = Source.of("order", text.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8));
        return TaskOrders.read(source, THREE, "P4", portfolio);
    }

    @Test
    void readsOneTaskPerLine() {
        assertThat(read("b\nc\na\n", false)).containsExactly(2, 0, 1);
    }

    @Test
    void readsTheColumnOfThePlatformAndTheKindOfRun() {
        String text = "task,json_index,P4_single,P4_portfolio\na,0,2,0\nb,1,1,2\nc,2,0,1\n";
        assertThat(read(text, false)).containsExactly(2, 1, 0);
        assertThat(read(text, true)).containsExactly(0, 2, 1);
        assertThat(read("task,order\nc,0\nb,1\na,2", true)).containsExactly(2, 1, 0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'a\\nb'|names 2 of the 3 tasks",
                "'a\\nx'|order:2: the workflow has no task 'x'",
                "'a\\na\\nb'|order:2: the task or its position is repeated",
                "'task,P1_single\\na,0'|order:1: has no column 'P4_single' and none 'order'",
                "'task,order\\na,3'|order:2: the task or its position",
                "'task,order\\na'|order:2: the task or its position"
            })
    void problemsOfAnOrderFileAreReported(String text, String problem) {
        assertThatThrownBy(() -> read(text, false))
                .isInstanceOf(InputException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void tiesAreBrokenByTheOrder() {
        Scenario inOrder = new Scenario(THREE, Platforms.of("P1"), Model.PAPER);
        Scenario reversed = new Scenario(THREE, Platforms.of("P1"), Model.PAPER, new int[] {2, 1, 0});
        TaskCriterion criterion = new TaskCriterion.Most(TaskCriterion.Measure.WORK);
        assertThat(inOrder.rank(criterion)).containsExactly(0, 1, 2);
        assertThat(reversed.rank(criterion)).containsExactly(2, 1, 0);
    }
}
