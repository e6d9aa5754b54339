package io.sheaf.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Warnings about node resources that a run does not count. */
class PlaceOptionsTest {
    private static RunSpec spec(long memory) {
        return new RunSpecBuilder("1", "w", Path.of("/"), "auto")
                .nodes(2, Resources.node(4, memory, 0))
                .build();
    }

    private static Workflow workflow(long memory) {
        WorkflowBuilder b = new WorkflowBuilder("w");
        b.task("free");
        return b.resources(b.task("large"), Resources.ONE_CORE.memory(memory)).build();
    }

    @Test
    void unknownNodeMemoryIsReported() {
        assertThat(PlaceOptions.uncounted(workflow(8L << 30), spec(0)))
                .isEqualTo(
                        "the memory of the nodes is unknown, so task 'large' and others may get too little. Set --mem-per-node");
        assertThat(PlaceOptions.uncounted(workflow(8L << 30), spec(1L << 30))).isEmpty();
        assertThat(PlaceOptions.uncounted(workflow(0), spec(0))).isEmpty();
    }
}
