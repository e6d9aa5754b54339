package io.sheaf.formats.slurm;

import io.sheaf.formats.Source;
import io.sheaf.formats.slurm.SacctColumns.Role;
import io.sheaf.formats.swf.SwfField;
import io.sheaf.formats.swf.SwfHeader;
import io.sheaf.formats.swf.SwfLog;
import io.sheaf.text.InputException;
import io.sheaf.text.Place;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts Slurm accounting records, the output of {@code sacct --parsable2 --allusers …}, to an SWF log.
 *
 * <p><b>Jobs.</b> Each record of an ended job or array task is a job. Steps ({@code 1001.batch}) and jobs that are pending or running are
 * skipped. Each record of a requeued job ({@code --duplicates}) is a job of its own, because each used the queue and nodes. Identical
 * records, as from overlapping periods, count once, except in published CSV files in which array tasks share an id.
 *
 * <p><b>Numbers.</b> A job keeps its number (JobIDRaw, else JobID) if it is a whole number and unused; other jobs are numbered above the
 * largest. Users, groups, partitions, QOS and job names are numbered from 1 in order of appearance. Jobs are sorted by submission; times
 * count from the first.
 *
 * <p><b>Cancelled in the queue.</b> Such a job has no allocation: its run time is unknown, and its wait is the time until the cancellation.
 */
public final class SacctReader {
    /** The unit of a processor in the SWF log: a CPU of Slurm, or a whole node. */
    public enum Unit {
        CPUS,
        NODES
    }

    /** The log, what was left out or changed, and what the format of the log has no field for. */
    public record Imported(
            SwfLog log,
            int steps,
            int unfinished,
            int repeated,
            int requeued,
            int renumbered,
            int malformed,
            Labels labels) {}

    /**
     * What SWF has no field for. Lists are by the numbers of the log, from 1; arrays are by job in the order of the log.
     *
     * @param eligible milliseconds from the submission until the job could start; {@link SwfLog#UNKNOWN} if not recorded
     * @param array the shared id of the job's array; {@link SwfLog#UNKNOWN} for a single job
     * @param superseded whether a later run of the same, requeued job follows
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Labels(
            List<String> users,
            List<String> names,
            List<String> partitions,
            long[] eligible,
            long[] array,
            boolean[] superseded) {}

    private static final int LONGEST_HEADER = 4096;

    private final Unit unit;
    private final ZoneId zone;
    private final @Nullable Consumer<InputException> problems;

    private SacctReader(Unit unit, ZoneId zone, @Nullable Consumer<InputException> problems) {
        this.unit = unit;
        this.zone = zone;
        this.problems = problems;
    }

    /** A reader for which a malformed line is fatal. The zone is the cluster's, for dates as sacct prints them. */
    public static SacctReader strict(Unit unit, ZoneId zone) {
        return new SacctReader(unit, zone, null);
    }

    /** A reader that reports a malformed line and skips it. */
    public static SacctReader lenient(Unit unit, ZoneId zone, Consumer<InputException> problems) {
        return new SacctReader(unit, zone, problems);
    }

    /** Whether the first line of a log names columns: numbers and comments, all that SWF has, hold no job id in words. */
    public static boolean isAccounting(Source source) {
        return source.read(in -> {
            String head = new String(in.readNBytes(LONGEST_HEADER), StandardCharsets.UTF_8);
            String line = head.lines().findFirst().orElse("").strip().toLowerCase(Locale.ROOT);
            return !line.startsWith(";") && (line.contains("jobid") || line.contains("job_id") || line.contains("|"));
        });
    }

    /** Reads accounting text, plain or gzipped. */
    public Imported read(Source source) {
        return read(List.of(source));
    }

    /** Reads several texts as one; records that are in several of them count once. */
    public Imported read(List<Source> sources) {
        Import all = new Import();
        for (Source source : sources) {
            source.read(in -> {
                read(in, source.name(), all);
                return source;
            });
        }
        return all.finish();
    }

    private void read(InputStream in, String name, Import job) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        String first = lines.readLine();
        if (first == null) {
            throw new InputException("empty; expected the text of sacct --parsable2");
        }
        try {
            job.begin(SacctColumns.ofHeader(first));
        } catch (InputException e) {
            throw e.at(Place.of(1, 0));
        }
        long number = 1;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            try {
                job.line(line);
            } catch (InputException e) {
                InputException problem = e.at(Place.of(number, 0)).in(name);
                if (problems == null) {
                    throw problem;
                }
                job.malformed++;
                problems.accept(problem);
            }
        }
    }

    /** Names numbered from 1 in order of appearance. */
    private static final class Numbering {
        final Map<String, Long> numbers = new LinkedHashMap<>();

        long of(@Nullable String name) {
            if (name == null || name.isBlank()) {
                return SwfLog.UNKNOWN;
            }
            return numbers.computeIfAbsent(name.strip(), n -> numbers.size() + 1L);
        }

        List<String> names() {
            return List.copyOf(numbers.keySet());
        }

        List<SwfHeader.HeaderField> entries(String key) {
            return numbers.entrySet().stream()
                    .map(e -> new SwfHeader.HeaderField(key, e.getValue() + " " + e.getKey()))
                    .toList();
        }
    }

    /** The files being read. A row has the 18 values of SWF and those of {@link Labels}. */
    private final class Import {
        static final int ELIGIBLE = SwfField.COUNT;
        static final int ARRAY = ELIGIBLE + 1;
        static final int SUPERSEDED = ARRAY + 1;
        static final int WIDTH = SUPERSEDED + 1;

        SacctColumns columns = SacctColumns.NONE;
        final List<long[]> rows = new ArrayList<>();
        final Set<String> records = new HashSet<>();
        final Map<String, long[]> ids = new HashMap<>();
        final Set<Long> usedNumbers = new HashSet<>();
        final Numbering users = new Numbering();
        final Numbering groups = new Numbering();
        final Numbering names = new Numbering();
        final Numbering queues = new Numbering();
        final Numbering partitions = new Numbering();
        int steps;
        int unfinished;
        int repeated;
        int requeued;
        int malformed;

        void begin(SacctColumns named) {
            columns = named;
        }

        void line(String line) {
            if (line.isBlank()) {
                return;
            }
            List<String> fields = columns.split(line);
            if (fields.size() != columns.width()) {
                throw new InputException("the line has " + fields.size() + " fields, the first line names "
                        + columns.width() + " columns; a job name may contain the separator");
            }
            SacctRecord record = new SacctRecord(columns, fields, zone, unit);
            if (record.step()) {
                steps++;
            } else if (record.unfinished()) {
                unfinished++;
            } else if (columns.distinguishesTasks() && !records.add(record.identity())) {
                repeated++;
            } else {
                long[] row = row(record);
                long[] earlier = columns.distinguishesTasks() ? ids.put(record.id(), row) : null;
                if (earlier != null) {
                    requeued++;
                    earlier[SUPERSEDED] = 1;
                }
                rows.add(row);
            }
        }

        private long[] row(SacctRecord r) {
            long[] row = Arrays.copyOf(r.values(), WIDTH);
            row[ELIGIBLE] =
                    r.eligible() < 0 ? SwfLog.UNKNOWN : Math.max(0, r.eligible() - row[SwfField.SUBMIT.number() - 1]);
            row[ARRAY] = r.array();
            long number = r.number();
            set(row, SwfField.JOB, number > 0 && usedNumbers.add(number) ? number : SwfLog.UNKNOWN);
            set(row, SwfField.USER, users.of(r.text(Role.USER)));
            set(row, SwfField.GROUP, groups.of(r.text(Role.GROUP)));
            set(row, SwfField.EXECUTABLE, names.of(r.text(Role.NAME)));
            set(row, SwfField.QUEUE, queues.of(r.text(Role.QOS)));
            set(row, SwfField.PARTITION, partitions.of(r.text(Role.PARTITION)));
            return row;
        }

        Imported finish() {
            int submit = SwfField.SUBMIT.number() - 1;
            int job = SwfField.JOB.number() - 1;
            long next = usedNumbers.stream().mapToLong(n -> n).max().orElse(0);
            int renumbered = 0;
            for (long[] row : rows) {
                if (row[job] == SwfLog.UNKNOWN) {
                    row[job] = ++next;
                    renumbered++;
                }
            }
            rows.sort(Comparator.comparingLong(row -> row[submit]));
            long origin = rows.isEmpty() ? 0 : rows.get(0)[submit];
            SwfLog.Builder builder = SwfLog.builder();
            for (long[] row : rows) {
                row[submit] -= origin;
                builder.add(Arrays.copyOf(row, SwfField.COUNT));
            }
            SwfLog log = builder.build(new SwfHeader(header(origin)));
            return new Imported(log, steps, unfinished, repeated, requeued, renumbered, malformed, labels());
        }

        private Labels labels() {
            long[] eligible = new long[rows.size()];
            long[] array = new long[rows.size()];
            boolean[] superseded = new boolean[rows.size()];
            for (int i = 0; i < rows.size(); i++) {
                eligible[i] = rows.get(i)[ELIGIBLE];
                array[i] = rows.get(i)[ARRAY];
                superseded[i] = rows.get(i)[SUPERSEDED] == 1;
            }
            return new Labels(users.names(), names.names(), partitions.names(), eligible, array, superseded);
        }

        private List<SwfHeader.HeaderField> header(long origin) {
            List<SwfHeader.HeaderField> header = new ArrayList<>();
            header.add(new SwfHeader.HeaderField("Version", "2.2"));
            header.add(new SwfHeader.HeaderField("Conversion", "Sheaf, from Slurm accounting"));
            header.add(new SwfHeader.HeaderField("MaxJobs", Integer.toString(rows.size())));
            header.add(new SwfHeader.HeaderField("MaxRecords", Integer.toString(rows.size())));
            header.add(new SwfHeader.HeaderField("UnixStartTime", Long.toString(Math.floorDiv(origin, 1000L))));
            header.add(
                    new SwfHeader.HeaderField("Note", "a processor here is a " + (unit == Unit.CPUS ? "CPU" : "node")));
            header.addAll(queues.entries("Queue"));
            header.addAll(partitions.entries("Partition"));
            return header;
        }
    }

    static void set(long[] row, SwfField field, long value) {
        row[field.number() - 1] = value;
    }
}
