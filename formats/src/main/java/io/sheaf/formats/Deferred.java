package io.sheaf.formats;

import java.util.List;

/**
 * A group of tasks that is known only after other tasks of its workflow have run: its {@code foreach} iterates over files that they
 * write. The group, and all tasks that depend on it, are not in the workflow yet.
 *
 * @param group the group's name
 * @param files the pattern of the files
 * @param writers the names of the tasks or groups that write them
 * @param tasks the ids of the tasks in the workflow that write them
 * @param millis the expected time from the start of one task of the group to the end of the tasks that depend on it; 0 if unknown
 */
public record Deferred(String group, String files, List<String> writers, List<String> tasks, long millis) {
    public Deferred {
        writers = List.copyOf(writers);
        tasks = List.copyOf(tasks);
    }

    /** A sentence for people. */
    public String text() {
        return "the tasks of '" + group + "', one per file " + files
                + ", and the tasks that depend on them are added after " + String.join(", ", writers);
    }
}
