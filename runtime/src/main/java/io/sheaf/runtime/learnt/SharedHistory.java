package io.sheaf.runtime.learnt;

import io.sheaf.predict.TaskHistory;
import io.sheaf.predict.TaskRecord;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The run times of a workflow's attempts on a batch system, in a {@linkplain LearntFolder folder} shared by all runs.
 */
public final class SharedHistory {
    static final String SUFFIX = ".tasks";
    private static final int FIELDS = 6;

    private final SharedLines lines;

    /**
     * Opens the history in a folder.
     *
     * @param clock milliseconds of the epoch
     * @param trouble receives one message if the folder cannot be used
     */
    public SharedHistory(Path folder, LongSupplier clock, Consumer<String> trouble) {
        lines = new SharedLines(folder, SUFFIX, SharedHistory::kind, clock, "what tasks took", trouble);
    }

    /**
     * The folder of a workflow on a batch system. Each workflow has its own, since equal task names may mean different
     * tasks.
     */
    public static Path folder(Path all, String system, String workflow) {
        return all.resolve(SharedLines.fileName(system)).resolve(SharedLines.fileName(workflow));
    }

    public void add(TaskRecord task) {
        lines.add(text(task));
    }

    /** Returns the current history; empty if it cannot be read. */
    public TaskHistory read() {
        TaskHistory known = new TaskHistory();
        records().forEach(known::learn);
        return known;
    }

    /** Returns the recorded attempts, in order. */
    public List<TaskRecord> records() {
        List<TaskRecord> records = new ArrayList<>();
        for (String each : lines.newLines()) {
            TaskRecord task = read(each);
            if (task != null) {
                records.add(task);
            }
        }
        return records;
    }

    static String text(TaskRecord task) {
        // Quoted, since a category may contain spaces and line ends.
        return String.join(
                " ",
                "=" + URLEncoder.encode(task.category(), StandardCharsets.UTF_8),
                Integer.toString(task.cores()),
                Long.toString(task.inputBytes()),
                Long.toString(task.millis()),
                Long.toString(task.memoryBytes()),
                task.failed() ? "failed" : "done");
    }

    static @Nullable TaskRecord read(String line) {
        String[] f = line.split(" ", -1);
        try {
            return f.length != FIELDS || f[0].isEmpty()
                    ? null
                    : new TaskRecord(
                            URLDecoder.decode(f[0].substring(1), StandardCharsets.UTF_8),
                            Integer.parseInt(f[1]),
                            Long.parseLong(f[2]),
                            Long.parseLong(f[3]),
                            Long.parseLong(f[4]),
                            f[5].equals("failed"));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The kind of an observation. Failures are a separate kind, so that they do not displace successes. */
    static Object kind(String line) {
        String[] f = line.split(" ", -1);
        return f.length != FIELDS ? line : f[0] + " " + f[1] + " " + f[5];
    }
}
