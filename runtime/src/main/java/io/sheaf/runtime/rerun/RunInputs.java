package io.sheaf.runtime.rerun;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run's inputs at its creation, in the file {@code inputs} in its folder. It contains the file check,
 * a digest of the whole workflow, and the state of files that no task writes. Since it is read before any task begins, later
 * changes of these files are detected.
 */
public record RunInputs(FileCheck check, String whole, Map<String, FileMark> files) {
    private static final String FILE = "inputs";

    /**
     * Reads the state of the files.
     *
     * @param whole the whole workflow
     * @param part the tasks that run
     */
    public static RunInputs of(Workflow whole, Workflow part, Path workFolder, FileCheck check) throws IOException {
        return new RunInputs(check, digest(whole), new FileMarks(workFolder, check).unwritten(part));
    }

    public void write(Path run) throws IOException {
        RunFolder.replace(run.resolve(FILE), check + "\n" + whole + "\n" + RecordLines.line(files));
    }

    /** Reads a run's recorded inputs; null if there are none. */
    public static @Nullable RunInputs read(Path run) throws IOException {
        List<String> lines = RunFolder.lines(run.resolve(FILE));
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

    /** Whether the run executes a part of the workflow with this {@link #digest}. */
    public boolean isOf(String digest) {
        return whole.equals(digest);
    }

    /** A digest of all that is written of a workflow. */
    public static String digest(Workflow workflow) throws IOException {
        MessageDigest digest = CommandDigest.sha256();
        try (Writer out = new OutputStreamWriter(
                new DigestOutputStream(OutputStream.nullOutputStream(), digest), StandardCharsets.UTF_8)) {
            Formats.writer("wfformat").write(workflow, out);
        }
        return CommandDigest.text(digest);
    }
}
