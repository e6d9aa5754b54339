package io.sheaf.runtime.run;

import io.sheaf.runtime.record.RunJournal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Archives the completed workflows of a service, so that its journal and memory stay bounded. Each volume is a
 * folder in {@code past}, which can be inspected like a service and removed.
 *
 * <p>A new journal starts with a {@link RunCheckpoint} of the open workflows. Until the checkpoint is durable,
 * nothing changes and the volume is empty. Afterwards the older journal files are obsolete, and this or the next
 * manager moves them into the volume.
 */
public record Volumes(Path folder) {
    private static final String PAST = "past";
    private static final String JOURNAL = "journal";
    private static final String CLUSTER = "cluster";
    private static final List<String> COPIED = List.of("run.json", "workflow.json", "service.txt", "clock");
    private static final Pattern VOLUME = Pattern.compile("[0-9]{4,9}");
    private static final Pattern NUMBERED = Pattern.compile("([0-9]{1,18})[-.].*");

    /** Archives the log of the cluster. No process may have its lease, and no pilot job may be left. */
    public void archiveCluster() throws IOException {
        if (Files.exists(folder.resolve(CLUSTER))) {
            Path volume = next();
            if (!Files.exists(volume.resolve(CLUSTER))) {
                Files.move(folder.resolve(CLUSTER), volume.resolve(CLUSTER), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    /** Starts a new journal, for a process that has just taken the lease. */
    Path begin(RunJournal journal, String run, long begunAt, RunCheckpoint snapshot) throws IOException {
        Path volume = next();
        for (String name : COPIED) {
            if (Files.exists(folder.resolve(name))) {
                Files.copy(folder.resolve(name), volume.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        journal.beginAnew();
        journal.begin(run, begunAt);
        snapshot.to(journal);
        return volume;
    }

    /**
     * Moves obsolete journal files, and logs of archived tasks and ended agents, into the volume. Does nothing if
     * there are none.
     *
     * @param open pilot jobs that have not ended
     */
    void sweep(RunJournal journal, Forest forest, Set<Long> open) throws IOException {
        List<Path> obsolete = journal.obsoleteFiles();
        if (obsolete.isEmpty()) {
            return;
        }
        Path volume = Files.createDirectories(volume(Math.max(1, last())));
        move(in(folder.resolve("logs"), number -> !forest.mayContain(number)), volume.resolve("logs"));
        move(in(folder.resolve("agents"), token -> !open.contains(token)), volume.resolve("agents"));
        move(obsolete, volume.resolve(JOURNAL));
    }

    private static void move(List<Path> files, Path volume) throws IOException {
        if (!files.isEmpty()) {
            Files.createDirectories(volume);
        }
        for (Path file : files) {
            Files.move(file, volume.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** The files of a folder whose names begin with a matching number. */
    private static List<Path> in(Path folder, Predicate<Long> filter) {
        String[] names = folder.toFile().list();
        List<Path> found = new ArrayList<>();
        for (String name : names == null ? new String[0] : names) {
            Matcher numbered = NUMBERED.matcher(name);
            if (numbered.matches() && filter.test(Long.parseLong(numbered.group(1)))) {
                found.add(folder.resolve(name));
            }
        }
        return found;
    }

    /** The volume to fill next: one that was begun and has no journal yet, or a new one. */
    private Path next() throws IOException {
        long last = last();
        Path begun = volume(last);
        return Files.createDirectories(last > 0 && !Files.exists(begun.resolve(JOURNAL)) ? begun : volume(last + 1));
    }

    private long last() {
        String[] names = folder.resolve(PAST).toFile().list();
        return Stream.of(names == null ? new String[0] : names)
                .filter(name -> VOLUME.matcher(name).matches())
                .mapToLong(Long::parseLong)
                .max()
                .orElse(0);
    }

    private Path volume(long number) {
        return folder.resolve(PAST).resolve(String.format(Locale.ROOT, "%04d", number));
    }
}
