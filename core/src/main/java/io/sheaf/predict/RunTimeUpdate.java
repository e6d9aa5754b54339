package io.sheaf.predict;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;

/** New expected run times for tasks of a workflow; immutable. Times are microseconds, as in workflows. */
public final class RunTimeUpdate {
    private final int[] tasks;
    private final long[] expected;
    private final long[] bound;

    /** Tasks by number, ascending, each with the time to plan with and the time that a walltime should cover. */
    public RunTimeUpdate(int[] tasks, long[] expected, long[] bound) {
        this.tasks = tasks.clone();
        this.expected = expected.clone();
        this.bound = bound.clone();
    }

    /** The workflow with these times. */
    public Workflow of(Workflow workflow) {
        return workflow.timed(tasks, expected);
    }

    public int size() {
        return tasks.length;
    }

    public int task(int index) {
        return tasks[index];
    }

    /** The time to plan with. */
    public long expected(int index) {
        return expected[index];
    }

    /** The time that a walltime should cover. */
    public long bound(int index) {
        return bound[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RunTimeUpdate that
                && Arrays.equals(tasks, that.tasks)
                && Arrays.equals(expected, that.expected)
                && Arrays.equals(bound, that.bound);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(tasks) * 31 + Arrays.hashCode(expected);
    }

    @Override
    public String toString() {
        return "times of " + tasks.length + " tasks";
    }
}
