package io.sheaf.manager;

import java.util.Arrays;

/** Counts the tasks that pilot jobs claim by name instead of by level. */
final class NamedTasks {
    /** The number of pilot jobs that name each task. */
    private int[] count = new int[16];

    void add(TaskGroup tasks) {
        for (int i = 0; i < tasks.size(); i++) {
            int task = tasks.task(i);
            if (task >= count.length) {
                count = Arrays.copyOf(count, 2 * task);
            }
            count[task]++;
        }
    }

    /** Removes the tasks of an ended pilot job. */
    void remove(TaskGroup tasks) {
        for (int i = 0; i < tasks.size(); i++) {
            count[tasks.task(i)]--;
        }
    }

    boolean contains(int task) {
        return task < count.length && count[task] > 0;
    }
}
