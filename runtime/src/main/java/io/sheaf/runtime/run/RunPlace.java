package io.sheaf.runtime.run;

import io.sheaf.runtime.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The location of a run when this process took its lease. It detects that the run was removed, moved or
 * replaced.
 *
 * <p>The caller then cancels the whole run, so a run counts as removed only when that is certain. A file system
 * that does not respond or is not mounted may become available again.
 */
record RunPlace(Journal journal, Path file, Object system) {
    private static final String FILE_SYSTEM = "unix:dev";

    /** The location of a journal whose lease this process has. */
    static RunPlace of(Journal journal) throws IOException {
        Path file = journal.file().toAbsolutePath();
        boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        return new RunPlace(journal, file, unix ? Files.getAttribute(folder(file), FILE_SYSTEM) : "");
    }

    private static Path folder(Path file) {
        Path folder = file.getParent();
        return folder == null ? file : folder;
    }

    /** Whether the run was certainly removed; false if another process took its lease. */
    boolean isRemoved() {
        try {
            return !journal.isInPlace() && !journal.isSuperseded() && isMounted(folder(file));
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether another run has taken the place of this one, so that this one will not come back. */
    boolean isReplaced() {
        try {
            return journal.isReplaced();
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether the nearest existing folder belongs to the run's file system. */
    private boolean isMounted(Path folder) throws IOException {
        Path nearest = folder;
        while (nearest != null && Files.notExists(nearest)) {
            nearest = nearest.getParent();
        }
        return nearest != null && Files.getAttribute(nearest, FILE_SYSTEM).equals(system);
    }
}
