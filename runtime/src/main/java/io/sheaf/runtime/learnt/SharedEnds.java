package io.sheaf.runtime.learnt;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The requested and used walltimes of a cluster's finished jobs, in a shared {@linkplain LearntFolder folder}; empty if
 * the folder cannot be used.
 */
public final class SharedEnds {
    private static final String SUFFIX = ".ends";
    private static final int FIELDS = 4;

    private final SharedLines lines;

    public SharedEnds(Path folder, LongSupplier clock) {
        lines = new SharedLines(folder, SUFFIX, SharedEnds::user, clock, "what jobs use", trouble -> {});
    }

    /** Records a finished job; times in milliseconds. */
    public void add(String user, int nodes, long requested, long used) {
        lines.add(quoted(user) + " " + nodes + " " + requested + " " + used);
    }

    /** A finished job; times in milliseconds. */
    public record FinishedJob(int user, int nodes, long requested, long used) {}

    /** All jobs if there are new ones, otherwise none. Users are identified by a hash of the name. */
    public List<FinishedJob> newJobs() {
        List<FinishedJob> jobs = new ArrayList<>();
        for (String line : lines.newLines()) {
            String[] f = line.split(" ", -1);
            if (f.length == FIELDS) {
                jobs.add(new FinishedJob(
                        user(line).hashCode(), Integer.parseInt(f[1]), Long.parseLong(f[2]), Long.parseLong(f[3])));
            }
        }
        return jobs;
    }

    private static String user(String line) {
        int end = line.indexOf(' ');
        return line.substring(0, Math.max(0, end));
    }

    /** The number that identifies a user. */
    public static int number(String user) {
        return quoted(user).hashCode();
    }

    private static String quoted(String user) {
        return "=" + URLEncoder.encode(user, StandardCharsets.UTF_8);
    }
}
