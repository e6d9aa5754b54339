package io.sheaf.runtime.learnt;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A folder of observations that many processes on many machines write and read concurrently, without locks.
 *
 * <h2>Merging</h2>
 *
 * Each process appends lines to files of its own. The content is the <em>union</em> of all lines in all files:
 * duplicates count once, incomplete lines are ignored. Merging writes the lines of old files to a new file, makes it
 * durable, renames it, and only then removes the old files. No complete line is lost or counted twice, even after a
 * kill or concurrent merges.
 *
 * <h2>Age</h2>
 *
 * A writer begins a new file after half a day. Files are merged two days after their last change. No process therefore
 * appends to a file that is about to be removed, unless clocks differ by more than a day.
 *
 * <p>Only the latest observations of each kind count, so merging may drop older ones.
 *
 * @param suffix the suffix of its file names
 * @param kind maps an observation to its kind
 */
record LearntFolder(Path folder, String suffix, Function<String, Object> kind) {
    static final long WRITTEN_FOR = 12 * 3_600_000L;
    static final long OLD = 48 * 3_600_000L;

    /** The minimum number of files to merge. */
    static final int MANY = 8;

    /** The maximum number of observations of a kind. */
    static final int LATEST = 200;

    /** Appends a line to the file of a writer. */
    void append(Observation observation) throws IOException {
        Files.createDirectories(folder);
        Files.write(
                folder.resolve(observation.writer() + suffix),
                (observation.text() + "\n").getBytes(StandardCharsets.UTF_8),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** The latest observations of each kind, in order. */
    List<Observation> read() throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                TreeSet<Observation> found = new TreeSet<>(Observation.ORDER);
                for (Path file : files()) {
                    found.addAll(read(file));
                }
                return latest(found);
            } catch (NoSuchFileException e) {
                // Merged meanwhile: its lines are in a file newer than the listing.
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    /** Merges old files if there are many. */
    void merge(long now, String name) throws IOException {
        List<Path> old = new ArrayList<>();
        for (Path file : files()) {
            if (Files.getLastModifiedTime(file).toMillis() < now - OLD) {
                old.add(file);
            }
        }
        if (old.size() >= MANY) {
            merge(old, name);
        }
    }

    /** Writes the lines of files to a new one, and removes them. */
    void merge(Collection<Path> files, String name) throws IOException {
        TreeSet<Observation> found = new TreeSet<>(Observation.ORDER);
        for (Path file : files) {
            found.addAll(read(file));
        }
        StringBuilder text = new StringBuilder();
        latest(found).forEach(each -> text.append(each.text()).append('\n'));
        RunFolder.replace(folder.resolve(name + suffix), text.toString());
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }

    List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + suffix)) {
                all.forEach(files::add);
            }
        }
        return files;
    }

    private static List<Observation> read(Path file) throws IOException {
        List<Observation> found = new ArrayList<>();
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).split("\n", -1)) {
            Observation observation = Observation.read(line);
            if (observation != null) {
                found.add(observation);
            }
        }
        return found;
    }

    private List<Observation> latest(NavigableSet<Observation> all) {
        Map<Object, Integer> counts = new HashMap<>();
        List<Observation> latest = new ArrayList<>();
        for (Observation each : all.descendingSet()) {
            if (counts.merge(kind.apply(each.value()), 1, Integer::sum) <= LATEST) {
                latest.add(each);
            }
        }
        Collections.reverse(latest);
        return latest;
    }
}
