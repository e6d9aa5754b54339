package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

class JobLimitsTest {
    private static final long HOUR = 3_600_000;

    @Test
    void aTaskThatNoJobMayRunIsRefusedByName() {
        WorkflowBuilder builder = new WorkflowBuilder("wf");
        builder.time(builder.task("short"), HOUR * 1_000);
        int wide = builder.task("wide");
        builder.time(wide, 7 * HOUR * 1_000);
        builder.resources(wide, new Resources(1, 0, 0, 4));
        Workflow workflow = builder.build();
        assertThatCode(() -> new JobLimits(4, 7 * HOUR).check(workflow)).doesNotThrowAnyException();
        assertThatThrownBy(() -> new JobLimits(4, 7 * HOUR - 1).check(workflow))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("task 'wide' of workflow 'wf' needs 7h, a job may run for at most");
        assertThatThrownBy(() -> new JobLimits(3, 7 * HOUR).check(workflow))
                .hasMessageContaining("task 'wide' of workflow 'wf' needs 4 nodes, a job may have at most 3");
    }
}
