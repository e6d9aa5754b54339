package io.sheaf.runtime.rerun;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Output;
import io.sheaf.runtime.record.AttemptResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The digests of the files that a run read and wrote, if they are still as the run left them.
 *
 * <p>A digest that was recorded for a later rerun decision is reused; otherwise the file is read once. The state of a file that the run did
 * not record is the current one, unless it was modified after the run.
 */
public final class FileDigests {
    /** Whether a file is as the run left it. */
    public enum FileState {
        SAME,
        CHANGED,
        ABSENT,
        /** A folder: only its existence is known. */
        FOLDER
    }

    /**
     * A file.
     *
     * @param bytes its size in the run; {@link #UNKNOWN} if that is not known
     * @param sha256 of its content in the run; empty if unknown
     */
    public record Digest(FileState state, long bytes, String sha256) {}

    public static final long UNKNOWN = -1;

    private final Path folder;
    private final long ended;
    private final Map<String, FileMark> recorded = new HashMap<>();
    private final Map<String, FileMark> hashed = new HashMap<>();

    /**
     * The files of a run.
     *
     * @param workflow the name of its workflow
     * @param folder where its tasks ran
     * @param run the run's folder
     * @param ended the end of the run
     */
    public FileDigests(String workflow, Path folder, Path run, List<AttemptResult> results, long ended)
            throws IOException {
        this.folder = folder;
        this.ended = ended;
        RunInputs inputs = RunInputs.read(run);
        if (inputs != null) {
            recorded.putAll(inputs.files());
        }
        for (AttemptResult each : results) {
            if (each.message().outcome() == AttemptOutcome.SUCCEEDED) {
                for (Output output : each.message().outputs()) {
                    recorded.put(output.name(), new FileMark(output.bytes(), output.modifiedMillis(), ""));
                }
            }
        }
        for (CommittedTask task : new TaskRecords(folder, workflow).latest().values()) {
            hashed.putAll(task.inputs());
            hashed.putAll(task.outputs());
        }
    }

    public Digest of(String name) {
        FileMark before = recorded.get(name);
        FileMark now = FileMark.of(folder.resolve(name), FileCheck.TIME);
        if (now != null && now.bytes() == FileMark.FOLDER) {
            return new Digest(FileState.FOLDER, UNKNOWN, "");
        }
        boolean unchanged = now != null
                && (before == null
                        ? now.millis() <= ended
                        : before.difference(now).isEmpty());
        FileMark mark = unchanged ? now : before;
        String known = mark == null ? "" : known(name, mark);
        return new Digest(
                unchanged ? FileState.SAME : now == null ? FileState.ABSENT : FileState.CHANGED,
                mark == null || mark.bytes() < 0 ? UNKNOWN : mark.bytes(),
                known.isEmpty() && unchanged ? content(name) : known);
    }

    /** The digest that was recorded for a file in this state; empty if there is none. */
    private String known(String name, FileMark mark) {
        FileMark before = recorded.get(name);
        if (before != null && !before.hash().isEmpty()) {
            return before.hash();
        }
        FileMark other = hashed.get(name);
        return other != null && other.bytes() == mark.bytes() && other.millis() == mark.millis() ? other.hash() : "";
    }

    private String content(String name) {
        FileMark read = FileMark.of(folder.resolve(name), FileCheck.HASH);
        return read == null ? "" : read.hash();
    }

    /** The SHA-256 of a file's content. */
    public static String sha256(Path file) throws IOException {
        return FileMark.hash(file);
    }
}
