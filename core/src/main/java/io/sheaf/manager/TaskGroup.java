package io.sheaf.manager;

import java.util.Arrays;

/** Some tasks of a workflow, or all of them; a value. */
public final class TaskGroup {
    /** All tasks, also those that come when the workflow grows. */
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

    /** How many there are, unless it is all of them. */
    public int size() {
        return tasks.length;
    }

    /** The index-th by number, unless it is all of them. */
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
