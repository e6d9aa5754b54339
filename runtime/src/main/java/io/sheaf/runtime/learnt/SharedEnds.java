package io.sheaf.runtime.learnt;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/** What jobs of a cluster were seen to use of their requests, in a {@linkplain LearntFolder folder} that all runs share; nothing where it cannot be used. */
public final class SharedEnds {
    private static final String SUFFIX = ".ends";
    private static final int FIELDS = 4;

    private final SharedLines lines;

    public SharedEnds(Path folder, LongSupplier clock) {
        lines = new SharedLines(folder, SUFFIX, SharedEnds::user, clock, "what jobs use", trouble -> {});
    }

    /** A job is over; times in milliseconds. */
    public void add(String user, int nodes, long requested, long used) {
        String quoted = "=" + URLEncoder.encode(user, StandardCharsets.UTF_8);
        lines.add(quoted + " " + nodes + " " + requested + " " + used);
    }

    /** Is told of a job that is over; times in milliseconds. */
    @FunctionalInterface
    public interface Taker {
        void ended(int user, int nodes, long requested, long used);
    }

    /** Tells of all that were seen, if there are new ones, and how many they are. A user is known by his name's hash. */
    public int tell(Taker taker) {
        List<String> news = lines.news();
        int count = 0;
        for (String seen : news == null ? List.<String>of() : news) {
            String[] f = seen.split(" ", -1);
            if (f.length == FIELDS) {
                taker.ended(user(seen).hashCode(), Integer.parseInt(f[1]), Long.parseLong(f[2]), Long.parseLong(f[3]));
                count++;
            }
        }
        return count;
    }

    private static String user(String seen) {
        int end = seen.indexOf(' ');
        return seen.substring(0, Math.max(0, end));
    }

    /** The number by which a correction knows a user. */
    public static int number(String user) {
        return ("=" + URLEncoder.encode(user, StandardCharsets.UTF_8)).hashCode();
    }
}
