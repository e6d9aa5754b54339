package io.sheaf.runtime.rerun;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run's inputs at its creation, in the file {@code inputs} in its folder. It contains the file check,
 * the whole workflow, and the state of files that no task writes. Since it is read before any task begins, later
 * changes of these files are detected.
 */
public record RunInputs(FileCheck check, String whole, Map<String, FileMark> files) {
    private static final String FILE = "inputs";

    /**
     * Reads the state of the files.
     *
     * @param whole the text of the whole workflow
     * @param part the tasks that run
     */
    public static RunInputs of(String whole, Workflow part, Path workFolder, FileCheck check) {
        return new RunInputs(check, digest(whole), new FileMarks(workFolder, check).unwritten(part));
    }

    public void write(Path run) throws IOException {
        RunFolder.replace(run.resolve(FILE), check + "\n" + whole + "\n" + RecordLines.line(files));
    }

    /** Reads a run's recorded inputs; null if there are none. */
    public static @Nullable RunInputs read(Path run) throws IOException {
        Path file = run.resolve(FILE);
        if (!Files.exists(file)) {
            return null;
        }
        List<String> lines = Files.readAllLines(file);
        Map<String, FileMark> files = lines.size() < 3 ? null : RecordLines.marks(lines.get(2));
        return files == null ? null : new RunInputs(FileCheck.valueOf(lines.get(0)), lines.get(1), files);
    }

    /** The sizes of the files, in bytes; not of folders. */
    public Map<String, Long> sizes() {
        Map<String, Long> sizes = new LinkedHashMap<>();
        files.forEach((name, mark) -> {
            if (mark.bytes() != FileMark.FOLDER) {
                sizes.put(name, mark.bytes());
            }
        });
        return sizes;
    }

    /** Whether the run executes a part of this workflow. */
    public boolean isOf(String text) {
        return whole.equals(digest(text));
    }

    private static String digest(String text) {
        var digest = CommandDigest.sha256();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return CommandDigest.text(digest);
    }
}
