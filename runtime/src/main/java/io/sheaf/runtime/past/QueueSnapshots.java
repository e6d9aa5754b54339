package io.sheaf.runtime.past;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.QueueSnapshot.Job;
import io.sheaf.formats.Source;
import io.sheaf.formats.TextLines;
import io.sheaf.text.InputException;
import java.io.EOFException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The queue snapshots of a run, in its folder {@code snapshots}: one file of compressed lines per lease holder.
 *
 * <p>The first snapshot of a file lists all jobs, later ones only changes. Readers ignore an incomplete snapshot. The
 * interval doubles after each {@value #MANY} snapshots, and writing stops after {@value #MAX_CHARACTERS} characters.
 * Write errors disable the snapshots; the run continues.
 *
 * <pre>
 * sheaf-queue 1
 * at 1794729600000 8 500      instant, nodes, depth
 * + 4711 4 3600000 -1         a new job: id, nodes, walltime, start or -1
 * s 4712 1794729590000        a job has started
 * - 4709                      a job has left the queue
 * end
 * </pre>
 */
public final class QueueSnapshots implements AutoCloseable {
    /** The initial minimum time between two snapshots, in milliseconds. */
    public static final long APART = 30_000;

    static final int MANY = 100;
    static final int MAX_CHARACTERS = 50_000_000;

    private static final String FOLDER = "snapshots";
    private static final String HEAD = "sheaf-queue 1";
    private static final String END = "end";
    private static final int MAX_FILES = 1_000_000;

    private final Path folder;
    private @Nullable Writer out;
    private Map<String, Job> known = Map.of();
    private long last = Long.MIN_VALUE;
    private long apart = APART;
    private int count;
    private long characters;
    private boolean broken;

    /** Creates the writer for the process that holds the lease of a run. The first snapshot creates the file. */
    public QueueSnapshots(Path run) {
        folder = run.resolve(FOLDER);
    }

    /** Whether a snapshot at this instant would be written. */
    public synchronized boolean isDue(long at) {
        return !broken && (last == Long.MIN_VALUE || at - last >= apart) && characters < MAX_CHARACTERS;
    }

    /** Writes a snapshot if the last one is old enough. */
    public synchronized void write(QueueSnapshot snapshot) {
        if (!isDue(snapshot.at())) {
            return;
        }
        try {
            String text = text(snapshot);
            Writer writer = out == null ? open() : out;
            writer.write(text);
            writer.flush();
            characters += text.length();
            last = snapshot.at();
            if (++count % MANY == 0) {
                apart *= 2;
            }
        } catch (IOException e) {
            // Snapshots are optional: the run continues without them.
            broken = true;
        }
    }

    private Writer open() throws IOException {
        Files.createDirectories(folder);
        for (int number = 1; number < MAX_FILES; number++) {
            Path file = folder.resolve(String.format(Locale.ROOT, "%06d.gz", number));
            try {
                Files.createFile(file);
            } catch (FileAlreadyExistsException e) {
                continue;
            }
            // Flushed data stays readable if this process is killed.
            Writer made = new OutputStreamWriter(
                    new GZIPOutputStream(new FileOutputStream(file.toFile()), true), StandardCharsets.UTF_8);
            made.write(HEAD + "\n");
            out = made;
            return made;
        }
        throw new IOException("too many files in " + folder);
    }

    private String text(QueueSnapshot snapshot) {
        StringBuilder text = new StringBuilder(
                "at " + snapshot.at() + " " + snapshot.capacity().units() + " "
                        + snapshot.capacity().policy().depth() + "\n");
        Map<String, Job> now = new LinkedHashMap<>();
        for (Job each : snapshot.jobs()) {
            now.put(each.id(), each);
            Job before = known.get(each.id());
            if (before == null) {
                text.append("+ " + each.id() + " " + each.units() + " " + each.walltime() + " " + each.start() + "\n");
            } else if (before.start() != each.start()) {
                text.append("s " + each.id() + " " + each.start() + "\n");
            }
        }
        for (String id : known.keySet()) {
            if (!now.containsKey(id)) {
                text.append("- ").append(id).append('\n');
            }
        }
        known = now;
        return text.append(END).append('\n').toString();
    }

    @Override
    public synchronized void close() {
        broken = true;
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            // Flushed data is already in the file.
        }
    }

    /** Returns all snapshots of a run, in order; empty if there are none. */
    public static List<QueueSnapshot> read(Path run) throws IOException {
        Path folder = run.resolve(FOLDER);
        List<QueueSnapshot> snapshots = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".gz"))
                        .sorted()
                        .toList()) {
                    read(file, snapshots);
                }
            }
        }
        return snapshots;
    }

    private static void read(Path file, List<QueueSnapshot> snapshots) throws IOException {
        try (InputStream raw = Files.newInputStream(file);
                InputStream text = Source.unpacked(raw)) {
            TextLines in = new TextLines(text);
            if (!HEAD.equals(in.next())) {
                return;
            }
            Map<String, Job> present = new LinkedHashMap<>();
            long[] at = new long[0];
            for (String line = in.next(); line != null; line = in.next()) {
                String[] f = line.split(" ", -1);
                if (f[0].equals("at")) {
                    at = new long[] {Long.parseLong(f[1]), Long.parseLong(f[2]), Long.parseLong(f[3])};
                } else if (f[0].equals(END) && at.length > 0) {
                    snapshots.add(QueueSnapshot.of(at[0], (int) at[1], (int) at[2], List.copyOf(present.values())));
                } else {
                    change(f, present);
                }
            }
        } catch (EOFException | ZipException e) {
            // The writing process was killed: use the complete snapshots before this point.
            return;
        } catch (InputException e) {
            throw e.in(file.toString());
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException(file + " is not what a run has seen", e);
        }
    }

    private static void change(String[] f, Map<String, Job> present) {
        Job before = present.get(f[1]);
        switch (f[0]) {
            case "+" ->
                present.put(f[1], Job.of(f[1], Integer.parseInt(f[2]), Long.parseLong(f[3]), Long.parseLong(f[4])));
            case "s" -> {
                if (before != null) {
                    present.put(f[1], Job.of(f[1], before.units(), before.walltime(), Long.parseLong(f[2])));
                }
            }
            case "-" -> present.remove(f[1]);
            default -> throw new NumberFormatException(f[0]);
        }
    }
}
