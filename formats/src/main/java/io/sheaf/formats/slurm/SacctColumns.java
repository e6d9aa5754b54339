package io.sheaf.formats.slurm;

import io.sheaf.text.InputException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps the columns of an accounting file by the names in its first line.
 *
 * <p>{@code sacct --parsable2} separates columns by bars. Some sites publish the records as CSV with other names; those of NREL's Eagle are
 * supported.
 */
final class SacctColumns {
    enum Role {
        JOB_RAW("jobidraw"),
        JOB("jobid"),
        /** A job's id that all tasks of an array share. */
        SHARED_JOB("job_id"),
        USER("user uid"),
        GROUP("group gid account"),
        SUBMIT("submit submit_time"),
        ELIGIBLE("eligible eligible_time"),
        START("start start_time"),
        END("end end_time"),
        ELAPSED("elapsed"),
        ELAPSED_SECONDS("elapsedraw run_time"),
        LIMIT("timelimit"),
        LIMIT_MINUTES("timelimitraw"),
        LIMIT_SECONDS("wallclock_req"),
        REQUESTED_CPUS("reqcpus processors_req"),
        ALLOCATED_CPUS("alloccpus ncpus"),
        REQUESTED_NODES("reqnodes nodes_req"),
        ALLOCATED_NODES("allocnodes nnodes"),
        STATE("state"),
        PARTITION("partition"),
        QOS("qos"),
        USED_MEMORY("maxrss"),
        REQUESTED_MEMORY("reqmem"),
        CPU_TIME("totalcpu"),
        NAME("jobname name");

        /** Names of the column in small letters, the preferred one first. */
        private final String names;

        Role(String names) {
            this.names = names;
        }
    }

    /** The columns before the first line of a file. */
    static final SacctColumns NONE = new SacctColumns('|', List.of());

    private final char separator;
    private final int width;
    private final Map<Role, Integer> at = new EnumMap<>(Role.class);

    private SacctColumns(char separator, List<String> header) {
        this.separator = separator;
        this.width = header.size();
        List<String> lower =
                header.stream().map(h -> h.strip().toLowerCase(Locale.ROOT)).toList();
        for (Role role : Role.values()) {
            for (String name : role.names.split(" ")) {
                if (lower.contains(name)) {
                    at.putIfAbsent(role, lower.indexOf(name));
                }
            }
        }
    }

    /** Reads the first line. An InputException names missing columns. */
    static SacctColumns ofHeader(String line) {
        char separator = line.indexOf('|') >= 0 ? '|' : ',';
        SacctColumns columns = new SacctColumns(separator, split(line, separator));
        if (!columns.distinguishesTasks() && !columns.has(Role.SHARED_JOB)) {
            throw new InputException(
                    "no column JobID: the first line must name the columns; run sacct with --parsable2 and without --noheader");
        }
        columns.need(Role.SUBMIT, "Submit");
        columns.need(Role.STATE, "State");
        if (!columns.has(Role.ELAPSED) && !columns.has(Role.ELAPSED_SECONDS)) {
            columns.need(Role.START, "Elapsed, nor Start");
            columns.need(Role.END, "Elapsed, nor End");
        }
        return columns;
    }

    private void need(Role role, String title) {
        if (!has(role)) {
            throw new InputException("no column " + title + "; add it to sacct's --format");
        }
    }

    /** Whether two records with the same id are about the same task. */
    boolean distinguishesTasks() {
        return has(Role.JOB) || has(Role.JOB_RAW);
    }

    boolean has(Role role) {
        return at.containsKey(role);
    }

    int width() {
        return width;
    }

    List<String> split(String line) {
        return split(line, separator);
    }

    /** The text of a role in a split line, or null if the file has no such column. */
    @Nullable
    String get(List<String> fields, Role role) {
        Integer column = at.get(role);
        return column == null ? null : fields.get(column);
    }

    private static List<String> split(String line, char separator) {
        return List.of(line.split(separator == '|' ? "\\|" : ",", -1));
    }
}
