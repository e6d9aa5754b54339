package io.sheaf.formats.swf;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A job log in the Standard Workload Format, as columns in the order of its lines.
 *
 * <p>Nothing is corrected: jobs may be out of order, run longer than requested or never run. Times are in milliseconds, memory in kilobytes
 * per processor; {@link #UNKNOWN} is the log's -1.
 */
public final class SwfLog {
    /** The value of a field that is not recorded. */
    public static final long UNKNOWN = -1;

    /** {@link #status} of a job that failed, that completed, and that was cancelled before or while it ran. */
    public static final int FAILED = 0;

    public static final int COMPLETED = 1;
    public static final int CANCELLED = 5;

    private final SwfHeader header;
    private final Column[] columns;
    private final int size;
    private final long malformedLines;

    private SwfLog(Builder b, SwfHeader header) {
        this.header = header;
        this.columns = b.columns;
        this.size = b.size;
        this.malformedLines = b.malformedLines;
    }

    public SwfHeader header() {
        return header;
    }

    public int size() {
        return size;
    }

    /** Lines that were skipped because they could not be read. */
    public long malformedLines() {
        return malformedLines;
    }

    /** Any field of a job: times in milliseconds, {@link #UNKNOWN} where not recorded. */
    public long value(SwfField field, int at) {
        return columns[field.number() - 1].get(at);
    }

    public int job(int at) {
        return (int) value(SwfField.JOB, at);
    }

    /** Milliseconds since the log's origin, UnixStartTime in the header. */
    public long submit(int at) {
        return value(SwfField.SUBMIT, at);
    }

    public long waited(int at) {
        return value(SwfField.WAIT, at);
    }

    public long run(int at) {
        return value(SwfField.RUN, at);
    }

    public long requestedTime(int at) {
        return value(SwfField.REQUESTED_TIME, at);
    }

    public int allocatedProcs(int at) {
        return (int) value(SwfField.ALLOCATED_PROCS, at);
    }

    public int requestedProcs(int at) {
        return (int) value(SwfField.REQUESTED_PROCS, at);
    }

    /** Processors of the job: those allocated, else those requested, else {@link #UNKNOWN}. */
    public int procs(int at) {
        int allocated = allocatedProcs(at);
        int requested = requestedProcs(at);
        return allocated > 0 ? allocated : requested > 0 ? requested : (int) UNKNOWN;
    }

    /** Kilobytes per processor: those requested, else those used, else {@link #UNKNOWN}. */
    public long memory(int at) {
        long requested = value(SwfField.REQUESTED_MEMORY, at);
        long used = value(SwfField.USED_MEMORY, at);
        return requested > 0 ? requested : used > 0 ? used : UNKNOWN;
    }

    public int status(int at) {
        return (int) value(SwfField.STATUS, at);
    }

    public int user(int at) {
        return (int) value(SwfField.USER, at);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects jobs line by line. */
    public static final class Builder {
        private final Column[] columns = new Column[SwfField.COUNT];
        private int size;
        private long malformedLines;

        private Builder() {
            Arrays.setAll(columns, f -> new Column());
        }

        /** Appends a job given as the 18 values of its line, times in milliseconds. The array may be used again. */
        public Builder add(long[] values) {
            if (values.length != SwfField.COUNT) {
                throw new IllegalArgumentException(values.length + " values for the " + SwfField.COUNT + " SWF fields");
            }
            for (int f = 0; f < SwfField.COUNT; f++) {
                columns[f].add(values[f]);
            }
            size++;
            return this;
        }

        Builder malformed(long lines) {
            malformedLines = lines;
            return this;
        }

        public int size() {
            return size;
        }

        /** The log; the builder is used up. */
        public SwfLog build(SwfHeader header) {
            for (Column c : columns) {
                c.trim();
            }
            return new SwfLog(this, header);
        }
    }

    /** A growing column of numbers that takes no memory while all of them are unknown, as many columns of real logs are. */
    private static final class Column {
        private long @Nullable [] values;
        private int size;

        void add(long value) {
            long[] v = values;
            if (v == null) {
                if (value == SwfLog.UNKNOWN) {
                    size++;
                    return;
                }
                v = new long[Math.max(64, size + 1)];
                Arrays.fill(v, 0, size, SwfLog.UNKNOWN);
            } else if (size == v.length) {
                v = Arrays.copyOf(v, size * 2);
            }
            v[size++] = value;
            values = v;
        }

        long get(int at) {
            long[] v = values;
            if (at < 0 || at >= size) {
                throw new IndexOutOfBoundsException(at + " of " + size + " jobs");
            }
            return v == null ? SwfLog.UNKNOWN : v[at];
        }

        void trim() {
            long[] v = values;
            if (v != null) {
                values = Arrays.copyOf(v, size);
            }
        }
    }
}
