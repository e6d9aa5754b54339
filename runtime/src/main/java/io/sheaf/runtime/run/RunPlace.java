package io.sheaf.runtime.run;

import io.sheaf.runtime.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Where a run lies, as it was when this process took charge of it; tells when it has been removed, or moved, or made anew by somebody else.
 *
 * <p>Whoever asks gives up everything if it has. So it counts as removed only where that is certain: a file system that does not answer, or that is not mounted any
 * more, may come back with the run in it.
 */
final class RunPlace {
    private static final String FILE = "unix:ino";
    private static final String FILE_SYSTEM = "unix:dev";

    private final Journal journal;
    private final Path file;
    private final Object number;
    private final Object system;

    private RunPlace(Journal journal, Path file, Object number, Object system) {
        this.journal = journal;
        this.file = file;
        this.number = number;
        this.system = system;
    }

    /** The place of a journal of which this process is in charge: its file is held open, so that no other one can get its number. */
    static RunPlace of(Journal journal) throws IOException {
        Path file = journal.file().toAbsolutePath();
        return isUnix(file)
                ? new RunPlace(
                        journal, file, Files.getAttribute(file, FILE), Files.getAttribute(folder(file), FILE_SYSTEM))
                : new RunPlace(journal, file, "", "");
    }

    private static boolean isUnix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    private static Path folder(Path file) {
        Path folder = file.getParent();
        return folder == null ? file : folder;
    }

    /** Whether the run is certainly not there any more; one that another process has taken is. */
    boolean isGone() {
        try {
            return isUnix(file) && !isSame() && !journal.isSuperseded() && isMounted(folder(file));
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isSame() throws IOException {
        try {
            return Files.getAttribute(file, FILE).equals(number);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Whether the nearest folder that is there belongs to the same file system as the run did. */
    private boolean isMounted(Path folder) throws IOException {
        Path nearest = folder;
        while (nearest != null && Files.notExists(nearest)) {
            nearest = nearest.getParent();
        }
        return nearest != null && Files.getAttribute(nearest, FILE_SYSTEM).equals(system);
    }
}
