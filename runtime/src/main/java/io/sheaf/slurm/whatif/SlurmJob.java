package io.sheaf.slurm.whatif;

import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.text.InputException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A job in the output of {@code squeue}; one line may stand for the queued tasks of an array.
 *
 * @param id its number; that of the array for queued tasks
 * @param array the number of its array, or its own
 * @param tasks the number of jobs in the line
 * @param tasksAtOnce the maximum number of running tasks of its array
 * @param partitions the partitions in which it may start
 * @param nodes minimum nodes
 * @param cores minimum cores
 * @param wholeNodes whether it uses its nodes exclusively
 * @param limit its time limit in milliseconds, {@link Limit#UNLIMITED}, or {@link Limit#UNKNOWN}
 * @param start its actual or planned start; {@link Limit#UNKNOWN} if there is none
 * @param end when its time limit ends
 * @param reason why it is pending
 * @param hosts the nodes on which it runs
 * @param extras other required resources: licences, generic resources
 * @param quality its QOS; empty if it is not known
 */
record SlurmJob(
        long id,
        long array,
        int tasks,
        int tasksAtOnce,
        State state,
        long priority,
        List<String> partitions,
        int nodes,
        int cores,
        boolean wholeNodes,
        long limit,
        long start,
        long end,
        String reason,
        String dependency,
        String features,
        List<String> requiredHosts,
        String reservation,
        String user,
        List<String> hosts,
        String extras,
        String quality,
        String name) {
    /** The job states that matter here. */
    enum State {
        WAITING,
        RUNNING,
        /** Its nodes are about to become free. */
        COMPLETING,
        ENDED
    }

    /** The number of jobs that Slurm hides. */
    static final long HIDDEN = -1;

    /** The number of jobs that are submitted later. */
    static final long ARRIVAL = -2;

    /** The reason of jobs that wait for an instant. */
    static final String BEGIN = "BeginTime";

    private static final String[] FIELDS = {
        "%A", "%i", "%T", "%Q", "%P", "%D", "%C", "%h", "%l", "%S", "%e", "%r", "%E", "%f", "%n", "%v", "%u", "%N",
        "%b", "%W", "%q", "%j"
    };

    /** The format of {@code squeue -o}; all fields exist in release 22.05 and later. */
    static final String FORMAT = Columns.format(FIELDS);

    /** Parses the output of {@code squeue -h -o FORMAT}, with {@code SLURM_TIME_FORMAT=%s}. */
    static Columns.Read<SlurmJob> read(String text) {
        return Columns.read("squeue", text, FIELDS.length, SlurmJob::of);
    }

    private static SlurmJob of(String[] cell) {
        String label = cell[1];
        int underscore = label.indexOf('_');
        long array = number(underscore < 0 ? cell[0] : label.substring(0, underscore));
        String tasks = underscore < 0 ? "" : label.substring(underscore + 1);
        State state = state(cell[2]);
        return new SlurmJob(
                number(cell[0]),
                array,
                tasks.startsWith("[") ? tasks(tasks, label) : 1,
                atOnce(tasks),
                state,
                number(cell[3]),
                List.of(cell[4].split(",")),
                Math.max(1, Columns.count(cell[5])),
                Columns.count(cell[6]),
                cell[7].equals("NO") || cell[7].equals("EXCLUSIVE"),
                Limit.millis(cell[8]),
                Limit.instant(cell[9]),
                Limit.instant(cell[10]),
                cell[11],
                plain(cell[12]),
                plain(cell[13]),
                HostList.expand(cell[14]),
                plain(cell[15]),
                cell[16],
                state == State.WAITING ? List.of() : HostList.expand(cell[17]),
                String.join(",", List.of(plain(cell[18]), plain(cell[19]))).replaceAll("^,|,$", ""),
                plain(cell[20]),
                BatchCommands.identity(cell[21]));
    }

    /** A job on whole nodes that a sample assumes, with one of the numbers below 0. */
    static SlurmJob assumed(
            long number,
            State state,
            String user,
            long priority,
            List<String> partitions,
            int nodes,
            long limit,
            long start,
            long end,
            List<String> hosts) {
        return new SlurmJob(
                number,
                number,
                1,
                Integer.MAX_VALUE,
                state,
                priority,
                partitions,
                nodes,
                nodes,
                true,
                limit,
                start,
                end,
                number == ARRIVAL ? BEGIN : "",
                "",
                "",
                List.of(),
                "",
                user,
                hosts,
                "",
                "",
                "assumed");
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    /** Whether a sample assumes that it is submitted later, at its {@code start}. */
    boolean isArrival() {
        return id == ARRIVAL;
    }

    /** The same job with another time limit, and another end if it runs. */
    SlurmJob lasting(long millis, long until) {
        return new SlurmJob(
                id,
                array,
                tasks,
                tasksAtOnce,
                state,
                priority,
                partitions,
                nodes,
                cores,
                wholeNodes,
                millis,
                start,
                until,
                reason,
                dependency,
                features,
                requiredHosts,
                reservation,
                user,
                hosts,
                extras,
                quality,
                name);
    }

    private static String plain(String cell) {
        return HostList.isNothing(cell) ? "" : cell;
    }

    private static State state(String word) {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT" -> State.WAITING;
            case "RUNNING", "CONFIGURING", "SUSPENDED", "RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED" ->
                State.RUNNING;
            case "COMPLETING" -> State.COMPLETING;
            case "COMPLETED",
                    "CANCELLED",
                    "FAILED",
                    "TIMEOUT",
                    "NODE_FAIL",
                    "PREEMPTED",
                    "BOOT_FAIL",
                    "DEADLINE",
                    "OUT_OF_MEMORY",
                    "REVOKED" -> State.ENDED;
            default -> throw new InputException("'" + word + "' is not a job state");
        };
    }

    /** The number of indices in {@code [2-20%3]} or {@code [1,5-9]}. */
    private static int tasks(String range, String label) {
        int percent = range.indexOf('%');
        int close = percent < 0 ? range.indexOf(']') : percent;
        if (close < 0) {
            throw new InputException("'" + label + "' is not a job array");
        }
        int count = 0;
        for (String part : range.substring(1, close).split(",", -1)) {
            // Slurm truncates a very long list with dots.
            if (!part.startsWith("...")) {
                count += tasks(part.split("[-:]", -1), label);
            }
        }
        return Math.max(1, count);
    }

    private static int tasks(String[] ends, String label) {
        long first = number(ends[0]);
        long last = ends.length > 1 ? number(ends[1]) : first;
        long step = ends.length > 2 ? number(ends[2]) : 1;
        long count = step < 1 ? 0 : (last - first) / step + 1;
        if (count < 1 || count > 10_000_000) {
            throw new InputException("'" + label + "' is not a job array");
        }
        return (int) count;
    }

    private static int atOnce(String tasks) {
        int percent = tasks.indexOf('%');
        return percent < 0
                ? Integer.MAX_VALUE
                : Math.max(1, Columns.count(tasks.substring(percent + 1).replace("]", "")));
    }

    private static long number(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new InputException("'" + digits + "' is not a number");
        }
    }

    /** The requested node-milliseconds; a part of a node counts as a fraction. */
    double nodeTime(int coresPerNode) {
        double share = wholeNodes || coresPerNode < 1 ? nodes : Math.min(nodes, (double) cores / coresPerNode);
        return share * tasks * Math.max(0, limit == Limit.UNLIMITED ? Limit.millis("365-00:00:00") : limit);
    }

    /** Whether a user or an administrator must release it before it can start. */
    boolean isHeld() {
        return priority == 0
                || reason.startsWith("JobHeld")
                || reason.equals("DependencyNeverSatisfied")
                || reason.equals("JobLaunchFailure")
                || reason.equals("BadConstraints");
    }

    /** The required features of a conjunction; null if the constraint is more complex. */
    static @Nullable Set<String> conjunction(String features) {
        Set<String> all = new TreeSet<>();
        if (features.isEmpty()) {
            return all;
        }
        for (String feature : features.split("[&,]", -1)) {
            if (feature.isEmpty()
                    || !feature.chars().allMatch(c -> Character.isLetterOrDigit(c) || "_-.=:".indexOf(c) >= 0)) {
                return null;
            }
            all.add(feature);
        }
        return all;
    }
}
