package io.sheaf.formats.slurm;

import io.sheaf.formats.slurm.SacctColumns.Role;
import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.text.InputException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One accounting record of a job. An InputException names the unreadable field. */
final class SacctRecord {
    /** The job has not ended, so its run time is not known. */
    private static final int UNFINISHED = -2;

    private static final Map<String, Integer> STATUS = new TreeMap<>();

    static {
        STATUS.put("COMPLETED", SwfLog.COMPLETED);
        STATUS.put("CANCELLED", SwfLog.CANCELLED);
        for (String state : List.of(
                "BOOT_FAIL",
                "DEADLINE",
                "FAILED",
                "LAUNCH_FAILED",
                "NODE_FAIL",
                "OUT_OF_MEMORY",
                "PREEMPTED",
                "RECONFIG_FAIL",
                "REQUEUED",
                "REVOKED",
                "SPECIAL_EXIT",
                "TIMEOUT")) {
            STATUS.put(state, SwfLog.FAILED);
        }
        for (String state : List.of(
                "COMPLETING",
                "CONFIGURING",
                "PENDING",
                "POWER_UP_NODE",
                "REQUEUE_FED",
                "REQUEUE_HOLD",
                "RESIZING",
                "RESV_DEL_HOLD",
                "RUNNING",
                "SIGNALING",
                "STAGE_OUT",
                "STOPPED",
                "SUSPENDED")) {
            STATUS.put(state, UNFINISHED);
        }
    }

    private final SacctColumns columns;
    private final List<String> fields;
    private final ZoneId zone;
    private final SacctReader.Unit unit;
    private final String id;

    SacctRecord(SacctColumns columns, List<String> fields, ZoneId zone, SacctReader.Unit unit) {
        this.columns = columns;
        this.fields = fields;
        this.zone = zone;
        this.unit = unit;
        this.id = firstOf(text(Role.JOB_RAW), text(Role.JOB), text(Role.SHARED_JOB));
    }

    private static String firstOf(@Nullable String... texts) {
        for (String text : texts) {
            if (text != null && !text.isBlank()) {
                return text.strip();
            }
        }
        throw new InputException("no job id");
    }

    @Nullable
    String text(Role role) {
        return columns.get(fields, role);
    }

    String id() {
        return id;
    }

    /** The id as a number, or UNKNOWN if it is not one, as of an array task. */
    long number() {
        return SlurmTimes.digits(id) && id.length() <= 9 ? Long.parseLong(id) : SwfLog.UNKNOWN;
    }

    /** The number that all tasks of an array or parts of a heterogeneous job share; UNKNOWN for a single job. */
    long array() {
        String shared = text(Role.JOB);
        int end = shared == null ? -1 : Math.max(shared.indexOf('_'), shared.indexOf('+'));
        return shared != null && end > 0 && end <= 9 && SlurmTimes.digits(shared.substring(0, end))
                ? Long.parseLong(shared.substring(0, end))
                : SwfLog.UNKNOWN;
    }

    /** When the job could start at the earliest, in milliseconds since 1970; UNKNOWN if that is not recorded. */
    long eligible() {
        return instant(Role.ELIGIBLE);
    }

    boolean step() {
        return id.indexOf('.') >= 0;
    }

    boolean unfinished() {
        return status() == UNFINISHED;
    }

    /** Equal for two lines about the same run of the same job. */
    String identity() {
        return id + "|" + text(Role.SUBMIT) + "|" + text(Role.START) + "|" + text(Role.END);
    }

    /** The 18 SWF values, with submission in milliseconds since 1970 and without those that are numbered by appearance. */
    long[] values() {
        long submit = instant(Role.SUBMIT);
        long start = instant(Role.START);
        long end = instant(Role.END);
        long elapsed = elapsed(start, end);
        if (submit < 0) {
            throw new InputException("job " + id + " has no submit time");
        }
        boolean nodes = unit == SacctReader.Unit.NODES;
        long allocated = count(nodes ? Role.ALLOCATED_NODES : Role.ALLOCATED_CPUS);
        long requested = count(nodes ? Role.REQUESTED_NODES : Role.REQUESTED_CPUS);
        boolean ran = !neverStarted(start, elapsed);
        long procs = ran && allocated > 0 ? allocated : requested > 0 ? requested : allocated;
        long[] row = new long[SwfField.COUNT];
        Arrays.fill(row, SwfLog.UNKNOWN);
        SacctReader.set(row, SwfField.SUBMIT, submit);
        SacctReader.set(row, SwfField.WAIT, waited(submit, ran ? start : end < 0 ? start : end));
        SacctReader.set(row, SwfField.RUN, ran ? elapsed : SwfLog.UNKNOWN);
        SacctReader.set(row, SwfField.ALLOCATED_PROCS, ran ? positive(procs) : SwfLog.UNKNOWN);
        SacctReader.set(row, SwfField.REQUESTED_PROCS, positive(requested > 0 ? requested : allocated));
        SacctReader.set(row, SwfField.REQUESTED_TIME, limit());
        SacctReader.set(row, SwfField.STATUS, status());
        SacctReader.set(row, SwfField.CPU_TIME, cpuTime(procs));
        SacctReader.set(row, SwfField.USED_MEMORY, memory(text(Role.USED_MEMORY), 1));
        SacctReader.set(row, SwfField.REQUESTED_MEMORY, requestedMemory(procs));
        return row;
    }

    private int status() {
        return status(String.valueOf(text(Role.STATE)));
    }

    /** Cancelled in the queue: never a start, or (older Slurm) a start at the end with nothing allocated. */
    private boolean neverStarted(long start, long elapsed) {
        boolean noStart = columns.has(Role.START) && start < 0;
        boolean nothing = columns.has(Role.ALLOCATED_CPUS) && count(Role.ALLOCATED_CPUS) <= 0;
        return noStart || (elapsed <= 0 && (nothing || status() == SwfLog.CANCELLED));
    }

    private static long waited(long submit, long until) {
        return until < 0 ? SwfLog.UNKNOWN : Math.max(0, until - submit);
    }

    private static long positive(long count) {
        return count > 0 ? count : SwfLog.UNKNOWN;
    }

    private long elapsed(long start, long end) {
        String seconds = text(Role.ELAPSED_SECONDS);
        if (seconds != null) {
            return SlurmTimes.seconds(seconds);
        }
        String clock = text(Role.ELAPSED);
        if (clock != null) {
            return SlurmTimes.duration(clock);
        }
        return start < 0 || end < 0 ? SwfLog.UNKNOWN : Math.max(0, end - start);
    }

    private long limit() {
        String minutes = text(Role.LIMIT_MINUTES);
        String clock = text(Role.LIMIT);
        String seconds = text(Role.LIMIT_SECONDS);
        long limit = minutes != null ? SlurmTimes.seconds(minutes) * 60 : SwfLog.UNKNOWN;
        if (limit < 0 && clock != null) {
            limit = SlurmTimes.duration(clock);
        }
        if (limit < 0 && seconds != null) {
            limit = SlurmTimes.seconds(seconds);
        }
        return limit < 0 ? SwfLog.UNKNOWN : limit;
    }

    private long cpuTime(long procs) {
        String total = text(Role.CPU_TIME);
        long used = total == null ? SwfLog.UNKNOWN : SlurmTimes.duration(total);
        return used < 0 || procs <= 0 ? SwfLog.UNKNOWN : used / procs;
    }

    private long instant(Role role) {
        String text = text(role);
        return text == null ? SwfLog.UNKNOWN : SlurmTimes.instant(text, zone);
    }

    private long count(Role role) {
        String text = text(role);
        if (text == null || text.isBlank()) {
            return SwfLog.UNKNOWN;
        }
        if (!SlurmTimes.digits(text.strip()) || text.strip().length() > 9) {
            throw new InputException("'" + text + "' is not a count of processors or nodes");
        }
        return Long.parseLong(text.strip());
    }

    /** Requested memory per processor: "2Gc" is per CPU already, "64G" and "64Gn" are per node. */
    private long requestedMemory(long procs) {
        String text = text(Role.REQUESTED_MEMORY);
        if (text == null || text.isBlank()) {
            return SwfLog.UNKNOWN;
        }
        String t = text.strip();
        char last = Character.toLowerCase(t.charAt(t.length() - 1));
        String size = last == 'c' || last == 'n' ? t.substring(0, t.length() - 1) : t;
        if (last == 'c') {
            return memory(size, 1);
        }
        long nodes = Math.max(1, count(Role.ALLOCATED_NODES));
        long perNode = unit == SacctReader.Unit.NODES ? 1 : Math.max(1, procs / nodes);
        return memory(size, perNode);
    }

    /** Kilobytes of "45231600K", "1.50G", "0" (a plain number is megabytes, Slurm's unit), divided by this count; or UNKNOWN. */
    private static long memory(@Nullable String text, long sharers) {
        if (text == null || text.isBlank()) {
            return SwfLog.UNKNOWN;
        }
        String t = text.strip().toUpperCase(Locale.ROOT);
        int power = "KMGTP".indexOf(t.charAt(t.length() - 1));
        String number = power < 0 ? t : t.substring(0, t.length() - 1);
        double value;
        try {
            value = Double.parseDouble(number);
        } catch (NumberFormatException e) {
            throw new InputException("'" + text + "' is not a size like 64G");
        }
        long kilobytes = Math.round(value * (1L << (10 * (power < 0 ? 1 : power))));
        return kilobytes / sharers;
    }

    /** The SWF status of a state, which may carry more words ("CANCELLED by 1001") or a plus sign where it was cut off. */
    private static int status(String state) {
        String word = state.strip().split(" ", 2)[0].toUpperCase(Locale.ROOT);
        boolean cut = word.endsWith("+") && word.length() > 3;
        String stem = cut ? word.substring(0, word.length() - 1) : word;
        for (Map.Entry<String, Integer> known : STATUS.entrySet()) {
            if (cut ? known.getKey().startsWith(stem) : known.getKey().equals(stem)) {
                return known.getValue();
            }
        }
        throw new InputException("state '" + state + "' is not one of Slurm's");
    }
}
