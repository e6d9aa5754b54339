package io.sheaf.lab.savings;

import io.sheaf.formats.slurm.SacctReader.Labels;
import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfLog;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of an accounting log that ran, as immutable columns in order of submission, with their recorded starts and ends.
 *
 * <p>Times are milliseconds since the origin of the log. A job is <em>released</em> when it could start at the earliest: at its submission, or
 * when the jobs that it depends on have ended. Jobs without a recorded wait, run time or size are left out and counted.
 */
public final class PastJobs {
    /** In place of a number: not recorded. */
    static final int NONE = -1;

    final int size;
    final long[] submit;
    final long[] release;
    final long[] start;
    final long[] end;
    final long[] request;
    final int[] nodes;
    final int[] user;
    final long[] array;
    /** The number of the job's name or executable. */
    final int[] name;

    /** The job that this one was submitted after, by its place here. */
    final int[] preceding;

    final boolean[] superseded;
    private final int leftOut;
    private final @Nullable Labels labels;
    private final Map<Integer, Integer> users = new HashMap<>();
    private final Map<Integer, JobName> kinds = new HashMap<>();

    private PastJobs(SwfLog log, int[] kept, int procsPerNode, @Nullable Labels labels, int leftOut) {
        size = kept.length;
        this.labels = labels;
        this.leftOut = leftOut;
        submit = new long[size];
        release = new long[size];
        start = new long[size];
        end = new long[size];
        request = new long[size];
        nodes = new int[size];
        user = new int[size];
        array = new long[size];
        name = new int[size];
        preceding = new int[size];
        superseded = new boolean[size];
        Map<Long, Integer> places = new HashMap<>();
        for (int i = 0; i < size; i++) {
            int at = kept[i];
            submit[i] = log.submit(at);
            start[i] = log.submit(at) + log.waited(at);
            end[i] = start[i] + log.run(at);
            long eligible = labels == null ? 0 : labels.eligible()[at];
            release[i] = Math.min(start[i], submit[i] + Math.max(0, eligible));
            request[i] = Math.max(log.requestedTime(at), Math.max(1, log.run(at)));
            nodes[i] = (log.procs(at) + procsPerNode - 1) / procsPerNode;
            user[i] = users.computeIfAbsent(log.user(at), number -> users.size());
            array[i] = labels == null ? NONE : labels.array()[at];
            name[i] = (int) log.value(SwfField.EXECUTABLE, at);
            superseded[i] = labels != null && labels.superseded()[at];
            Integer before = places.get(log.value(SwfField.PRECEDING_JOB, at));
            preceding[i] = before == null ? NONE : before;
            places.put((long) log.job(at), i);
        }
    }

    /**
     * Selects the jobs of a log that ran.
     *
     * @param labels names, arrays and dependencies of the jobs; null if only the log itself is known
     * @param partition the number of the only partition to keep; negative for all
     */
    public static PastJobs of(SwfLog log, @Nullable Labels labels, int procsPerNode, int partition) {
        int[] selected = IntStream.range(0, log.size())
                .filter(at -> partition < 0 || log.value(SwfField.PARTITION, at) == partition)
                .toArray();
        int[] order = Arrays.stream(selected)
                .filter(at -> log.waited(at) >= 0 && log.run(at) > 0 && log.procs(at) > 0)
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(log::submit).thenComparingInt(log::job))
                .mapToInt(i -> i)
                .toArray();
        return new PastJobs(log, order, procsPerNode, labels, selected.length - order.length);
    }

    /** The partition with the most processor time; negative if the log has only one. */
    public static int mainPartition(SwfLog log) {
        Map<Long, Double> used = new HashMap<>();
        for (int at = 0; at < log.size(); at++) {
            if (log.run(at) > 0 && log.procs(at) > 0) {
                used.merge(log.value(SwfField.PARTITION, at), (double) log.run(at) * log.procs(at), Double::sum);
            }
        }
        long max = used.entrySet().stream()
                .max(Map.Entry.<Long, Double>comparingByValue().thenComparingLong(each -> -each.getKey()))
                .map(Map.Entry::getKey)
                .orElse(-1L);
        return used.size() < 2 ? NONE : (int) max;
    }

    /** The first submission on the clock of the log, in milliseconds. */
    public long firstSubmit() {
        return size == 0 ? 0 : submit[0];
    }

    int userCount() {
        return users.size();
    }

    public int size() {
        return size;
    }

    /** Jobs without a start, a run time or a size. */
    public int leftOut() {
        return leftOut;
    }

    /** The time from the first submission to the last one, in milliseconds. */
    public long span() {
        return size == 0 ? 0 : submit[size - 1] - submit[0];
    }

    /** The most nodes that were in use at the same time. */
    public int maxInUse() {
        Integer[] events = new Integer[2 * size];
        Arrays.setAll(events, i -> i);
        // Ends before starts at the same instant.
        Arrays.sort(events, (a, b) -> instant(a) != instant(b) ? Long.compare(instant(a), instant(b)) : b - a);
        long used = 0;
        long max = 0;
        for (int each : events) {
            used += each < size ? nodes[each] : -nodes[each - size];
            max = Math.max(max, used);
        }
        return (int) Math.min(Integer.MAX_VALUE, max);
    }

    private long instant(int event) {
        return event < size ? start[event] : end[event - size];
    }

    /** The name of a job; empty if it is not recorded. */
    String name(int job) {
        List<String> all = labels == null ? List.of() : labels.names();
        return name[job] < 1 || name[job] > all.size() ? "" : all.get(name[job] - 1);
    }

    /** The information in the name of a job; jobs of one executable are of one kind. */
    JobName kind(int job) {
        if (name[job] < 1) {
            return JobName.UNKNOWN;
        }
        String text = name(job);
        return kinds.computeIfAbsent(
                name[job], number -> text.isEmpty() ? new JobName("", "executable " + number) : JobName.of(text));
    }

    /** The user's name, or its number in the log. */
    String userName(int job) {
        for (Map.Entry<Integer, Integer> each : users.entrySet()) {
            if (each.getValue() == user[job]) {
                int number = each.getKey();
                if (labels != null && number >= 1 && number <= labels.users().size()) {
                    return labels.users().get(number - 1);
                }
                return number < 0 ? "unknown" : "user " + number;
            }
        }
        throw new IllegalArgumentException("job " + job + " has no user");
    }
}
