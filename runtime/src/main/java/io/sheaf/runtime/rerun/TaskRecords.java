package io.sheaf.runtime.rerun;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.runtime.learnt.StateFolder;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The records of a workflow's tasks, in {@code .sheaf/records/NAME} below the folder in which they run.
 *
 * <p>Each run appends to a file of its own, one line before each task commit. A new run starts its file with the latest
 * record of each task and removes the files that it has read. A kill at any time leaves every record in one or two
 * files. Concurrent runs can at worst cause unnecessary reruns of each other's tasks.
 */
public final class TaskRecords {
    private static final String ENDING = ".jsonl";

    /** Folders of runs that had not ended when the last one was created, one per line. */
    private static final String UNFINISHED = "unfinished";

    private final Path folder;

    /**
     * Creates the records of the workflow of this name.
     *
     * @param workFolder the folder in which its tasks run
     */
    public TaskRecords(Path workFolder, String workflow) {
        String name = StateFolder.fileName(workflow.isEmpty() ? "workflow" : workflow.replaceAll("[@+]", "_"));
        folder = workFolder.resolve(".sheaf").resolve("records").resolve(name);
    }

    /** The latest record of each task, in the order of their commits. */
    Map<String, CommittedTask> latest() throws IOException {
        return latest(files());
    }

    private static Map<String, CommittedTask> latest(Collection<Path> files) throws IOException {
        Map<String, CommittedTask> latest = new LinkedHashMap<>();
        for (Path file : files) {
            read(file).forEach((task, record) -> latest.merge(task, record, (a, b) -> a.at() > b.at() ? a : b));
        }
        return latest;
    }

    /** Reads a file; the last line of a task counts, regardless of clocks. */
    static Map<String, CommittedTask> read(Path file) throws IOException {
        Map<String, CommittedTask> records = new LinkedHashMap<>();
        for (String line : lines(file)) {
            CommittedTask record = RecordLines.record(line);
            if (record != null) {
                // Reinserted at the end: records are in commit order.
                records.remove(record.task());
                records.put(record.task(), record);
            }
        }
        return records;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            // Not a file of Sheaf: ignored, so tasks run again.
            return List.of();
        }
    }

    /** All record files, sorted by name. */
    private List<Path> files() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
        }
    }

    /** Creates a run. */
    @FunctionalInterface
    public interface Creation<T> {
        @Nullable
        T create() throws IOException, InterruptedException;
    }

    /**
     * Creates a run while no other process creates one of this workflow here. A file system without locks, or a folder that cannot be
     * written, excludes no one.
     */
    public <T> @Nullable T alone(Creation<T> creation) throws IOException, InterruptedException {
        try (FileChannel channel = lockFile()) {
            if (channel != null) {
                lock(channel);
            }
            return creation.create();
        }
    }

    private @Nullable FileChannel lockFile() {
        try {
            Files.createDirectories(folder);
            return FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            return null;
        }
    }

    /** Until the channel is closed. */
    private static void lock(FileChannel channel) {
        try {
            var unused = channel.lock();
        } catch (IOException e) {
            // The file system has no locks.
        }
    }

    /** Makes these the runs that have not ended. */
    public void register(List<Path> unfinished) {
        try {
            RunFolder.replace(
                    folder.resolve(UNFINISHED),
                    unfinished.stream().map(run -> run + "\n").collect(Collectors.joining()));
        } catch (IOException e) {
            // The folder cannot be written, which the recorder reports.
        }
    }

    /** The folders of the runs with records here: the latest and concurrent ones. */
    public Set<Path> runs() throws IOException {
        Set<Path> runs = new LinkedHashSet<>();
        Path registered = folder.resolve(UNFINISHED);
        if (Files.exists(registered)) {
            lines(registered).forEach(run -> runs.add(Path.of(run)));
        }
        for (Path file : files()) {
            List<String> lines = lines(file);
            Path run = lines.isEmpty() ? null : RecordLines.run(lines.get(0));
            if (run != null) {
                runs.add(run);
            }
        }
        return runs;
    }

    /** Starts the file of a run with the records of earlier runs, and removes their files. */
    void begin(String run, Path runFolder) throws IOException {
        Files.createDirectories(folder);
        List<Path> before = new ArrayList<>(files());
        StringBuilder text = new StringBuilder(RecordLines.header(runFolder));
        latest(before).values().forEach(record -> text.append(RecordLines.line(record.ofEarlierRun())));
        RunFolder.replace(file(run), text.toString());
        before.remove(file(run));
        for (Path old : before) {
            Files.deleteIfExists(old);
        }
    }

    Path file(String run) {
        return folder.resolve(run + ENDING);
    }
}
