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

/** What attempts of tasks took in all runs of a workflow on a batch system, in a {@linkplain LearntFolder folder} that they share. */
public final class SharedHistory {
    static final String SUFFIX = ".tasks";
    private static final int FIELDS = 6;

    private final SharedLines lines;

    /**
     * The history in a folder.
     *
     * @param clock milliseconds of the epoch
     * @param trouble is told once if the folder cannot be used
     */
    public SharedHistory(Path folder, LongSupplier clock, Consumer<String> trouble) {
        lines = new SharedLines(folder, SUFFIX, SharedHistory::kind, clock, "what tasks took", trouble);
    }

    /** The folder of a workflow on a batch system below one for all. Tasks called alike in other workflows may be quite others. */
    public static Path folder(Path all, String system, String workflow) {
        return all.resolve(SharedLines.fileName(system)).resolve(SharedLines.fileName(workflow));
    }

    /** Keeps what an attempt took. */
    public void add(TaskRecord one) {
        lines.add(text(one));
    }

    /** What is known by now; empty if it cannot be read. */
    public TaskHistory read() {
        TaskHistory known = new TaskHistory();
        records().forEach(known::learn);
        return known;
    }

    /** The attempts that are known by now, in order. */
    public List<TaskRecord> records() {
        List<TaskRecord> records = new ArrayList<>();
        List<String> seen = lines.news();
        for (String each : seen == null ? List.<String>of() : seen) {
            TaskRecord one = read(each);
            if (one != null) {
                records.add(one);
            }
        }
        return records;
    }

    static String text(TaskRecord one) {
        // Quoted, since a category may hold blanks and line ends.
        return String.join(
                " ",
                "=" + URLEncoder.encode(one.category(), StandardCharsets.UTF_8),
                Integer.toString(one.cores()),
                Long.toString(one.inputBytes()),
                Long.toString(one.millis()),
                Long.toString(one.memoryBytes()),
                one.failed() ? "failed" : "done");
    }

    static @Nullable TaskRecord read(String seen) {
        String[] f = seen.split(" ", -1);
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

    /** Failures are a kind of their own, so that many of them do not drive out what is worth knowing. */
    static Object kind(String seen) {
        String[] f = seen.split(" ", -1);
        return f.length != FIELDS ? seen : f[0] + " " + f[1] + " " + f[5];
    }
}
