package io.sheaf.manager;

import java.util.Arrays;
import java.util.stream.IntStream;

/** An immutable set of tasks of a workflow, or all of them. */
public final class TaskGroup {
    /** All tasks, including those that are added later. */
    public static final TaskGroup ALL = new TaskGroup(new int[0]);

    private final int[] tasks;

    private TaskGroup(int[] tasks) {
        this.tasks = tasks;
    }

    /** These tasks, at least one. */
    public static TaskGroup of(int... tasks) {
        if (tasks.length == 0) {
            throw new IllegalArgumentException("a group needs a task");
        }
        int[] sorted = tasks.clone();
        Arrays.sort(sorted);
        return new TaskGroup(sorted);
    }

    public boolean isAll() {
        return tasks.length == 0;
    }

    public boolean contains(int task) {
        return isAll() || Arrays.binarySearch(tasks, task) >= 0;
    }

    /** The number of tasks; undefined for {@link #ALL}. */
    public int size() {
        return tasks.length;
    }

    /** The tasks in order of number; undefined for {@link #ALL}. */
    IntStream stream() {
        return Arrays.stream(tasks);
    }

    /** The task at an index, in order of number; undefined for {@link #ALL}. */
    public int task(int index) {
        return tasks[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TaskGroup group && Arrays.equals(tasks, group.tasks);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(tasks);
    }

    @Override
    public String toString() {
        return isAll() ? "all tasks" : "tasks " + Arrays.toString(tasks);
    }
}
