package io.sheaf.runtime.rerun;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The records of a workflow's tasks, in {@code .sheaf/records/NAME} below the folder in which they run.
 *
 * <p>Each run has a file of its own there, to which it alone appends a line before a task counts as committed. A new run begins its file with the latest
 * record of each task and removes the files that it has read. So there is one file after each run, a kill at any moment leaves every record in one file or
 * in two, and runs at the same time can at worst make each other's tasks run again.
 */
public final class TaskRecords {
    private static final String ENDING = ".jsonl";

    private final Path folder;

    /**
     * Records of the workflow of this name.
     *
     * @param workFolder where its tasks run
     */
    public TaskRecords(Path workFolder, String workflow) {
        String name = workflow.isEmpty() ? "workflow" : workflow.replaceAll("[^A-Za-z0-9_.-]", "_");
        // Also '..' would be a name.
        folder = workFolder.resolve(".sheaf").resolve("records").resolve(name.startsWith(".") ? "_" + name : name);
    }

    /** The latest record of each task, in the order in which they were committed. */
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

    /** What a file holds; of several lines on a task the last one counts, whatever clocks say. */
    static Map<String, CommittedTask> read(Path file) throws IOException {
        Map<String, CommittedTask> records = new LinkedHashMap<>();
        for (String line : lines(file)) {
            CommittedTask record = RecordLines.record(line);
            if (record != null) {
                // Behind all others: the order of records is the order in which tasks were committed.
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
            // Not written by us; whatever it says, tasks run again.
            return List.of();
        }
    }

    /** All files with records, in the order of their names. */
    private List<Path> files() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
        }
    }

    /** The folders of the runs that have left records here: the latest, and others that ran at the same time. */
    public List<Path> runs() throws IOException {
        List<Path> runs = new ArrayList<>();
        for (Path file : files()) {
            List<String> lines = lines(file);
            Path run = lines.isEmpty() ? null : RecordLines.run(lines.get(0));
            if (run != null) {
                runs.add(run);
            }
        }
        return runs;
    }

    /** Begins the file of a run with what others have left, and removes theirs. */
    void begin(String run, Path runFolder) throws IOException {
        Files.createDirectories(folder);
        List<Path> before = new ArrayList<>(files());
        StringBuilder text = new StringBuilder(RecordLines.header(runFolder));
        latest(before).values().forEach(record -> text.append(RecordLines.line(record)));
        RunFolder.replace(file(run), text.toString());
        before.remove(file(run));
        for (Path old : before) {
            Files.deleteIfExists(old);
        }
    }

    /** Where a run writes. */
    Path file(String run) {
        return folder.resolve(run + ENDING);
    }
}
