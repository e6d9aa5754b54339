package io.sheaf.lab;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.text.InputException;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The rows of finished items on disk, in the order in which they finish; a campaign that is killed loses only unfinished items.
 *
 * <p>The first line holds the fingerprint of the experiment. Every other line is an item with the rows of all its strategies and a checksum. An incomplete line or one
 * with a wrong checksum is cut off with all that follows, and its items run again. When all items are finished, the rows are sorted into the table.
 */
final class ResultLog implements AutoCloseable {
    private static final String HEAD = "sheaf lab ";
    private static final char BETWEEN = '\t';

    private final OutputStream out;
    private final BitSet done = new BitSet();
    private long nanos;

    private ResultLog(OutputStream out) {
        this.out = out;
    }

    /** Opens or creates the log; refuses the log of another experiment. */
    static ResultLog open(Path file, String fingerprint) throws IOException {
        String head = HEAD + fingerprint + "\n";
        BitSet done = new BitSet();
        long good = 0;
        if (Files.exists(file)) {
            good = read(file, head, done);
        }
        if (good == 0) {
            Files.writeString(file, head);
        } else {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(good);
            }
        }
        ResultLog log = new ResultLog(Files.newOutputStream(file, StandardOpenOption.APPEND));
        log.done.or(done);
        return log;
    }

    /** Creates a log with all rows of a table, atomically. */
    static void fromTable(Path table, Path file, String fingerprint, int strategies) throws IOException {
        Path made = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(made, HEAD + fingerprint + "\n");
        try (BufferedReader lines = Files.newBufferedReader(table);
                ResultLog log = new ResultLog(
                        new BufferedOutputStream(Files.newOutputStream(made, StandardOpenOption.APPEND)))) {
            lines.readLine();
            List<String> rows = new ArrayList<>();
            int item = -1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int comma = line.indexOf(',');
                int its = (int) ((Long.parseLong(line.substring(0, comma)) - 1) / strategies);
                if (its != item && item >= 0) {
                    log.add(item, strategies, rows);
                    rows.clear();
                }
                item = its;
                rows.add(line.substring(comma + 1));
            }
            if (item >= 0) {
                log.add(item, strategies, rows);
            }
        }
        Files.move(made, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Collects the finished items and returns the length of the valid part in bytes; 0 if the first line is incomplete. */
    private static long read(Path file, String head, BitSet done) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            String first = lines.readLine();
            if (first == null || (Files.size(file) < head.length() && head.startsWith(first))) {
                return 0;
            }
            if (!head.equals(first + "\n")) {
                throw new InputException(
                                "contains runs of another experiment; use another folder with -o, or remove it")
                        .in(file.toString());
            }
            long size = Files.size(file);
            long good = head.length();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                // A last line without its line break is incomplete.
                if (!isWhole(line) || good + line.length() + 1 > size) {
                    break;
                }
                good += line.length() + 1;
                done.set(Integer.parseInt(line.substring(0, line.indexOf(BETWEEN))));
            }
            return good;
        }
    }

    private static boolean isWhole(String line) {
        int last = line.lastIndexOf(BETWEEN);
        // Bytes one by one: a line may be cut within a character.
        byte[] text = line.substring(0, Math.max(0, last)).getBytes(StandardCharsets.ISO_8859_1);
        return last > 0 && checksum(text).equals(line.substring(last + 1));
    }

    private static String checksum(byte[] text) {
        CRC32 sum = new CRC32();
        sum.update(text);
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /** The finished items. */
    BitSet done() {
        return done;
    }

    /** The processor time spent on writing, in nanoseconds. */
    synchronized long nanos() {
        return nanos;
    }

    /**
     * Adds an item.
     *
     * @param strategies the number of runs of an item; if it is 1, all rows have the number of that run
     * @param rows one per strategy, or any number of one run; without run numbers and tabs
     */
    void add(int item, int strategies, List<String> rows) {
        long begin = processorNanos();
        StringBuilder numbered = new StringBuilder().append(item);
        for (int i = 0; i < rows.size(); i++) {
            numbered.append(BETWEEN).append((long) item * strategies + i % strategies + 1);
            numbered.append(',').append(rows.get(i));
        }
        byte[] text = numbered.toString().getBytes(StandardCharsets.UTF_8);
        byte[] end = (BETWEEN + checksum(text) + "\n").getBytes(StandardCharsets.US_ASCII);
        byte[] line = Arrays.copyOf(text, text.length + end.length);
        System.arraycopy(end, 0, line, text.length, end.length);
        synchronized (this) {
            try {
                out.write(line);
            } catch (IOException e) {
                throw new InputException("the results cannot be written: " + e.getMessage());
            }
            done.set(item);
            nanos += processorNanos() - begin;
        }
    }

    /** Processor time of this thread, which does not depend on the load of the machine; 0 if not available. */
    private static long processorNanos() {
        var threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? Math.max(0, threads.getCurrentThreadCpuTime()) : 0;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    /** Sorts all rows into a table, atomically; returns the number of failed runs. */
    static long toTable(Path log, Path table, String header, int items) throws IOException {
        String[] rows = new String[items];
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int first = line.indexOf(BETWEEN);
                int last = line.lastIndexOf(BETWEEN);
                if (first < last) {
                    rows[Integer.parseInt(line.substring(0, first))] = line.substring(first + 1, last);
                }
            }
        }
        long failed = 0;
        Path made = table.resolveSibling(table.getFileName() + ".part");
        try (var out = Files.newBufferedWriter(made)) {
            out.write(header + "\n");
            for (String item : rows) {
                for (String row : item == null ? new String[0] : item.split(String.valueOf(BETWEEN), -1)) {
                    failed += Csv.isFailed(row) ? 1 : 0;
                    out.write(row);
                    out.write('\n');
                }
            }
        }
        Files.move(made, table, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        return failed;
    }
}
