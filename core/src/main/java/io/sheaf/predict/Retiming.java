package io.sheaf.predict;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;

/** What is expected of some tasks of a workflow from now on: a value. Times are microseconds, as in workflows. */
public final class Retiming {
    private final int[] tasks;
    private final long[] expected;
    private final long[] bound;

    /**
     * The tasks by number, ascending, each with the time to plan with and the one that a walltime should allow for.
     */
    public Retiming(int[] tasks, long[] expected, long[] bound) {
        this.tasks = tasks.clone();
        this.expected = expected.clone();
        this.bound = bound.clone();
    }

    /** A workflow planned with these times. */
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

    /** The time that a walltime should allow for. */
    public long bound(int index) {
        return bound[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Retiming that
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
