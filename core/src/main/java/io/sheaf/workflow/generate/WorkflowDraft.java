package io.sheaf.workflow.generate;

import io.sheaf.workflow.Workflow;

/**
 * A workflow in the making whose run times are known up to one factor, which the total work fixes at the end.
 *
 * <p>Tasks are called ID00000, ID00001, … as in the files of the Pegasus WorkflowGenerator. Each file that a task
 * writes has one writer, and a task comes after another exactly if it reads a file of it, so that a reader which takes
 * edges from files finds the same edges.
 */
final class WorkflowDraft extends Sketch {
    private static final int DIGITS = 5;
    private static final long MICROS = 1_000_000;

    /** The requested total work, or the mean per task of the thesis' 500-task workflows of 100 hours. */
    final long workMicros;

    /** A draft named like {@code montage-50-360000}: family, tasks, and work in seconds. */
    WorkflowDraft(Family family, Recipe recipe, int tasks) {
        super(family.name() + "-" + tasks + "-" + work(recipe, tasks) / MICROS);
        workMicros = work(recipe, tasks);
    }

    private static long work(Recipe recipe, int tasks) {
        return recipe.workMicros() > 0 ? recipe.workMicros() : tasks * 720L * MICROS;
    }

    Workflow build() {
        return build(workMicros);
    }

    /** Adds a task with this share of the total run time. */
    @Override
    int task(String category, double timeShare) {
        return add(number("ID", builder.size()), category, timeShare);
    }

    int file(String name, long bytes) {
        return builder.file(name, bytes);
    }

    /** Adds the task's inputs; their producers, if any, are set by {@link #after}. */
    WorkflowDraft reads(int task, int... files) {
        for (int file : files) {
            builder.input(task, file);
        }
        return this;
    }

    WorkflowDraft writes(int task, int... files) {
        for (int file : files) {
            builder.output(task, file);
        }
        return this;
    }

    WorkflowDraft after(int task, int... parents) {
        for (int parent : parents) {
            builder.edge(parent, task);
        }
        return this;
    }

    /** A prefix and a number in at least five digits. */
    static String number(String prefix, int number) {
        String digits = Integer.toString(number);
        StringBuilder text = new StringBuilder(prefix.length() + Math.max(DIGITS, digits.length())).append(prefix);
        for (int i = digits.length(); i < DIGITS; i++) {
            text.append('0');
        }
        return text.append(digits).toString();
    }
}
