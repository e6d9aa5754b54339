package io.sheaf.runtime.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class RegretTest {
    /** The queue of snapshots has no pools, the run had two: it is simulated on all nodes. */
    @Test
    void aRunInPoolsIsSimulatedInAQueueWithoutPools() {
        RunSpec spec = new RunSpecBuilder("id", "name", Path.of("/work"), "onejob")
                .nodes(4, 1)
                .pools(Pools.parse("left=1-4+right=5-8", 8))
                .build();
        WorkflowBuilder builder = new WorkflowBuilder("pooled");
        builder.time(builder.task("a"), 60_000_000).time(builder.task("b"), 60_000_000);
        Workflow workflow = builder.build();
        SimulatedQueue queue = new SimulatedQueue(JobLog.builder().build(), Policy.easy(), 8);
        SimulatedRun run = Regret.simulated(spec, workflow, null, queue, 0, (tasks, task, attempt) -> 60_000, "onejob");
        assertThat(run.completed()).isTrue();
        assertThat(run.makespanMillis()).isEqualTo(60_000);
    }
}
