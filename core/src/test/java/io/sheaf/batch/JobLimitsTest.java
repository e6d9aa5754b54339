package io.sheaf.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobLimitsTest {
    private static final long HOUR = 3_600_000;

    @Test
    void aTaskBeyondTheJobLimitsIsRefusedByName() {
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
        JobLimits enough = JobLimits.NONE.unitTime(28 * HOUR);
        assertThatCode(() -> enough.check(workflow)).doesNotThrowAnyException();
        assertThatThrownBy(() -> JobLimits.NONE.unitTime(28 * HOUR - 1).check(workflow))
                .hasMessageContaining(
                        "task 'wide' of workflow 'wf' needs 7h, a job of 4 nodes may run for at most 6h59m");
    }

    /** At most 10 node-hours, of which agents reserve 13 s. */
    @Test
    void aLimitOfNodeTimeShortensWiderJobs() {
        JobLimits limits = new JobLimits(8, 6 * HOUR).unitTime(10 * HOUR);
        assertThat(limits.walltime(1)).isEqualTo(6 * HOUR);
        assertThat(limits.walltime(2)).isEqualTo(5 * HOUR);
        // 10 h / 7 is 85.7 min; walltimes are whole minutes.
        assertThat(limits.walltime(7)).isEqualTo(85 * 60_000);
        assertThat(limits.allow(7, limits.walltime(7))).isTrue();
        assertThat(limits.allow(4, 5 * HOUR / 2)).isTrue();
        assertThat(limits.allow(4, 5 * HOUR / 2 + 1)).isFalse();
        JobLimits offered = limits.without(13_000);
        assertThat(offered.walltime(1)).isEqualTo(6 * HOUR - 13_000);
        assertThat(offered.walltime(2)).isEqualTo(5 * HOUR - 13_000);
        assertThat(offered.allow(2, 5 * HOUR - 13_000)).isTrue();
        assertThat(offered.allow(2, 5 * HOUR - 12_999)).isFalse();
        assertThat(JobLimits.NONE.unitTime(2 * HOUR).walltime())
                .as("the walltime of one node")
                .isEqualTo(2 * HOUR);
        Pool pool = Pool.parse("main=1-8,nodes=8,nodetime=10h,time=6h", 8);
        assertThat(pool.limits()).isEqualTo(limits);
        assertThat(Pool.parse(pool.text(), 8)).isEqualTo(pool);
        assertThat(Pools.of(List.of(pool)).walltime(2)).isEqualTo(5 * HOUR);
    }
}
