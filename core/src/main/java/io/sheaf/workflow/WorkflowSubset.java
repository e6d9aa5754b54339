package io.sheaf.workflow;

import java.util.BitSet;

/** Some tasks of a workflow as a workflow of their own: with the edges between them, and with their files. */
public final class WorkflowSubset {
    private WorkflowSubset() {}

    /** The workflow of the tasks whose bits are set, in the order of the whole. */
    public static Workflow of(Workflow workflow, BitSet tasks) {
        WorkflowBuilder builder = new WorkflowBuilder(workflow.name()).fileEdges(workflow.fileEdges());
        workflow.categories().forEach(builder::describe);
        files(workflow, tasks, builder);
        int[] numbers = new int[workflow.size()];
        for (int task = tasks.nextSetBit(0); task >= 0; task = tasks.nextSetBit(task + 1)) {
            numbers[task] = builder.task(workflow.id(task), workflow.place(task));
            copy(workflow, task, builder, numbers[task]);
        }
        for (int task = tasks.nextSetBit(0); task >= 0; task = tasks.nextSetBit(task + 1)) {
            for (int i = 0; i < workflow.parents(task); i++) {
                if (tasks.get(workflow.parent(task, i))) {
                    builder.edge(numbers[workflow.parent(task, i)], numbers[task]);
                }
            }
        }
        return builder.build();
    }

    /** Declares the files of the tasks in the order of the whole. */
    private static void files(Workflow workflow, BitSet tasks, WorkflowBuilder builder) {
        BitSet used = new BitSet(workflow.files());
        for (int task = tasks.nextSetBit(0); task >= 0; task = tasks.nextSetBit(task + 1)) {
            for (int i = 0; i < workflow.inputs(task); i++) {
                used.set(workflow.input(task, i));
            }
            for (int i = 0; i < workflow.outputs(task); i++) {
                used.set(workflow.output(task, i));
            }
        }
        used.stream().forEach(file -> file(workflow, file, builder));
    }

    private static void copy(Workflow workflow, int task, WorkflowBuilder builder, int target) {
        builder.like(target, workflow, task);
        for (int i = 0; i < workflow.inputs(task); i++) {
            builder.input(target, file(workflow, workflow.input(task, i), builder));
        }
        for (int i = 0; i < workflow.outputs(task); i++) {
            builder.output(target, file(workflow, workflow.output(task, i), builder));
        }
    }

    private static int file(Workflow workflow, int file, WorkflowBuilder builder) {
        return builder.file(workflow.fileName(file), workflow.fileSize(file));
    }
}
