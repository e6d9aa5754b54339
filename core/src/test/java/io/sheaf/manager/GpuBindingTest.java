package io.sheaf.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** GPUs of nodes are counted like their cores. */
class GpuBindingTest {
    /** Three tasks of a core and a GPU, then two of a core alone. */
    private static Workflow mixed() {
        WorkflowBuilder builder = new WorkflowBuilder("mixed");
        for (int i = 0; i < 5; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 10_000_000).resources(task, new Resources(1, 0, i < 3 ? 1 : 0, 1));
        }
        return builder.build();
    }

    private static Manager started(Workflow workflow, Rules rules, Notes out, int nodes) {
        Script script = new Script();
        script.lines.add(List.of(new Order.Submit(Request.of(nodes, 60_000), Claim.levels(0, 9))));
        Manager manager = Rig.manager(workflow, script, 4, 4, rules);
        manager.settle(0, out);
        out.take();
        manager.on(new Event.Started(1, 1, true), out);
        return manager;
    }

    @Test
    void aTaskWaitsForAGpuWhileOthersStartOnFreeCores() {
        Notes out = new Notes();
        Manager manager = started(mixed(), Rules.DEFAULT.node(Resources.node(1).gpus(2)), out, 1);
        // Two GPUs for tasks 0 and 1; task 2 waits although two cores are free, and tasks 3 and 4 start on them.
        assertThat(out.take())
                .containsExactly("start t0 on 1.0", "start t1 on 1.0", "start t3 on 1.0", "start t4 on 1.0");
        manager.on(new Event.TaskEnded(2, 1, 3, 1, Event.Outcome.SUCCEEDED), out);
        assertThat(out.take()).isEmpty();
        manager.on(new Event.TaskEnded(3, 1, 1, 1, Event.Outcome.SUCCEEDED), out);
        assertThat(out.take()).containsExactly("start t2 on 1.0");
    }

    @Test
    void eachNodeHasItsOwnGpus() {
        Notes out = new Notes();
        started(mixed(), Rules.DEFAULT.node(Resources.node(1).gpus(2)), out, 2);
        assertThat(out.take()).contains("start t0 on 1.0", "start t1 on 1.0", "start t2 on 1.1");
    }

    @Test
    void uncountedGpusDoNotMatter() {
        Notes out = new Notes();
        started(mixed(), Rules.DEFAULT, out, 1);
        assertThat(out.take()).contains("start t0 on 1.0", "start t1 on 1.0", "start t2 on 1.0");
    }

    /** A task uses two GPUs on each of two nodes. Another task that needs a GPU waits for it. */
    @Test
    void aMultiNodeTaskUsesGpusOfEachNode() {
        WorkflowBuilder builder = new WorkflowBuilder("wide");
        for (int i = 0; i < 2; i++) {
            int task = builder.task("t" + i);
            builder.time(task, 10_000_000).resources(task, new Resources(1, 0, 2 - i, 2 - i));
        }
        Notes out = new Notes();
        Manager manager =
                started(builder.build(), Rules.DEFAULT.node(Resources.node(1).gpus(2)), out, 2);
        assertThat(out.take()).containsExactly("start t0 on 1.0+1");
        manager.on(new Event.TaskEnded(2, 1, 0, 1, Event.Outcome.SUCCEEDED), out);
        assertThat(out.take()).containsExactly("start t1 on 1.0");
    }
}
