package io.sheaf.manager;

import java.util.Arrays;

/** The tasks that claims of pilot jobs name one by one, not by level. */
final class NamedTasks {
    /** How many pilot jobs name each task. */
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

    /** A pilot job with these tasks is over. */
    void remove(TaskGroup tasks) {
        for (int i = 0; i < tasks.size(); i++) {
            count[tasks.task(i)]--;
        }
    }

    boolean contains(int task) {
        return task < count.length && count[task] > 0;
    }
}
