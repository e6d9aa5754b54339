package io.sheaf.workflow;

import io.sheaf.text.Place;
import java.util.BitSet;

/** Some tasks of a workflow as a workflow of their own: with the edges between them, and with their files. */
public final class WorkflowSubset {
    private WorkflowSubset() {}

    /** The workflow of the tasks whose bits are set, in the order of the whole. */
    public static Workflow of(Workflow whole, BitSet tasks) {
        WorkflowBuilder builder = new WorkflowBuilder(whole.name()).fileEdges(whole.fileEdges());
        whole.categories().forEach(builder::describe);
        files(whole, tasks, builder);
        int[] numbers = new int[whole.size()];
        for (int task = tasks.nextSetBit(0); task >= 0; task = tasks.nextSetBit(task + 1)) {
            numbers[task] = builder.task(whole.id(task), whole.place(task));
            copy(whole, task, builder, numbers[task]);
        }
        for (int task = tasks.nextSetBit(0); task >= 0; task = tasks.nextSetBit(task + 1)) {
            for (int i = 0; i < whole.parents(task); i++) {
                if (tasks.get(whole.parent(task, i))) {
                    builder.edge(numbers[whole.parent(task, i)], numbers[task]);
                }
            }
        }
        return builder.build();
    }

    /** Declares the files of the tasks in the order of the whole. */
    private static void files(Workflow whole, BitSet tasks, WorkflowBuilder builder) {
        BitSet used = new BitSet(whole.files());
        for (int task = tasks.nextSetBit(0); task >= 0; task = tasks.nextSetBit(task + 1)) {
            for (int i = 0; i < whole.inputs(task); i++) {
                used.set(whole.input(task, i));
            }
            for (int i = 0; i < whole.outputs(task); i++) {
                used.set(whole.output(task, i));
            }
        }
        used.stream().forEach(file -> file(whole, file, builder));
    }

    private static void copy(Workflow whole, int task, WorkflowBuilder builder, int to) {
        builder.category(to, whole.category(task).name()).resources(to, whole.resources(task));
        builder.retries(to, whole.retries(task)).priority(to, whole.priority(task));
        if (!whole.retry(task).equals(Retry.DEFAULT)) {
            builder.retry(to, whole.retry(task));
        }
        if (whole.timeMicros(task) != Workflow.UNKNOWN) {
            builder.time(to, whole.timeMicros(task));
        }
        if (whole.limitMicros(task) != Workflow.UNKNOWN) {
            builder.limit(to, whole.limitMicros(task), Place.NONE);
        }
        Scaling scaling = whole.scaling(task);
        if (scaling != null) {
            builder.scaling(to, scaling);
        }
        Command command = whole.command(task);
        if (command != null) {
            builder.command(to, command);
        }
        for (int i = 0; i < whole.inputs(task); i++) {
            builder.input(to, file(whole, whole.input(task, i), builder));
        }
        for (int i = 0; i < whole.outputs(task); i++) {
            builder.output(to, file(whole, whole.output(task, i), builder));
        }
    }

    private static int file(Workflow whole, int file, WorkflowBuilder builder) {
        return builder.file(whole.fileName(file), whole.fileSize(file));
    }
}
