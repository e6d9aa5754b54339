package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.random.RandomStream;
import io.sheaf.testing.RandomWorkflows;
import io.sheaf.testing.SameWorkflow;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Scaling;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import org.junit.jupiter.api.Test;

/** Tests that a grown workflow equals one that is built of all tasks at once. */
class GrowingWorkflowsTest {
    private static final Origin ORIGIN = new Origin("w", "ann", 0, "");

    @Test
    void aGrownWorkflowEqualsOneBuiltAtOnce() {
        RandomWorkflows workflows = RandomWorkflows.withEverything(11);
        RandomStream random = new RandomStream(5);
        for (int round = 0; round < 40; round++) {
            Workflow base = plain(workflows.next());
            Workflow more = plain(workflows.next()).prefixed("w/");
            Addition added = Addition.of(ORIGIN, more);
            WorkflowBuilder all = base.extend();
            copy(more, all);
            for (int i = random.nextInt(4); i > 0 && base.size() > 0 && more.size() > 0; i--) {
                int from = random.nextInt(base.size());
                int to = random.nextInt(more.size());
                added = added.after(from, to);
                all.edge(from, base.size() + to);
            }
            Workflow larger = base.plus(added);
            SameWorkflow.assertSame(all.build(), larger);
            for (int task = 0; task < larger.size(); task++) {
                assertThat(larger.find(larger.id(task))).isEqualTo(task);
            }
        }
    }

    /**
     * A copy without edges that follow from files, which an addition cannot have, and without properties of categories.
     */
    private static Workflow plain(Workflow workflow) {
        WorkflowBuilder builder = new WorkflowBuilder("plain");
        copy(workflow, builder);
        return builder.build();
    }

    private static void copy(Workflow from, WorkflowBuilder to) {
        int first = to.size();
        for (int i = 0; i < from.size(); i++) {
            int task = to.task(from.id(i));
            to.category(task, from.category(i).name()).resources(task, from.resources(i));
            to.retries(task, from.retries(i)).priority(task, from.priority(i));
            if (from.timeMicros(i) != Workflow.UNKNOWN) {
                to.time(task, from.timeMicros(i));
            }
            if (from.limitMicros(i) != Workflow.UNKNOWN) {
                to.limit(task, from.limitMicros(i), 0);
            }
            Command command = from.command(i);
            if (command != null) {
                to.command(task, command);
            }
            Scaling scaling = from.scaling(i);
            if (scaling != null) {
                to.scaling(task, scaling);
            }
            for (int f = 0; f < from.inputs(i); f++) {
                to.input(task, file(from, to, from.input(i, f)));
            }
            for (int f = 0; f < from.outputs(i); f++) {
                to.output(task, file(from, to, from.output(i, f)));
            }
        }
        for (int i = 0; i < from.size(); i++) {
            for (int p = 0; p < from.parents(i); p++) {
                to.edge(first + from.parent(i, p), first + i);
            }
        }
    }

    private static int file(Workflow from, WorkflowBuilder to, int file) {
        return to.file(from.fileName(file), from.fileSize(file));
    }

    @Test
    void duplicateIdsAndUnknownParentsAreRefused() {
        WorkflowBuilder builder = new WorkflowBuilder("small");
        builder.task("a");
        Workflow small = builder.build();
        assertThatThrownBy(() -> small.plus(Addition.of(ORIGIN, small)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("'a'");
        assertThatThrownBy(() ->
                        small.plus(Addition.of(ORIGIN, small.prefixed("b/")).after(1, 0)))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("number 1");
        assertThat(small.plus(Addition.of(ORIGIN, small.prefixed("b/"))).id(1)).isEqualTo("b/a");
    }
}
