package io.sheaf.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Plans put no more tasks on a node than it has GPUs for. */
class GpuSharesTest {
    private static Workflow bag(int tasks, int cores, int gpus) {
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int i = 0; i < tasks; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 10_000_000).resources(task, new Resources(cores, 0, gpus, 1));
        }
        return builder.build();
    }

    /** Four tasks of a GPU each on a node of 8 cores: with 2 GPUs two at a time, 20 s; with 3 one third of 8 cores is 3, so 2 at a time; with 4 all at once. */
    @Test
    void aPlanLastsAsLongAsGpusMakeIt() {
        Workflow four = bag(4, 1, 1);
        assertThat(millis(four, 2)).isEqualTo(20_000);
        assertThat(millis(four, 3)).isEqualTo(20_000);
        assertThat(millis(four, 4)).isEqualTo(10_000);
    }

    private static long millis(Workflow workflow, int gpus) {
        Workflow planned = GpuShares.planned(workflow, 8, gpus);
        return new RunTimes(planned, Profile.OWN.planOrder(), 8).millis(0, 0, 1);
    }

    @Test
    void whoNeedsMoreCoresThanItsShareKeepsThem() {
        Workflow planned = GpuShares.planned(bag(1, 7, 1), 8, 2);
        assertThat(planned.resources(0)).isEqualTo(new Resources(7, 0, 1, 1));
    }

    @Test
    void withoutGpusItIsTheWorkflowItself() {
        Workflow none = bag(3, 1, 0);
        assertThat(GpuShares.planned(none, 8, 2)).isSameAs(none);
        Workflow some = bag(3, 1, 1);
        assertThat(GpuShares.planned(some, 8, 0)).isSameAs(some);
    }
}
