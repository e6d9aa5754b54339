package io.sheaf.runtime.batch;

import io.sheaf.agent.link.RunFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a batch system that all processes of a user share, so that one process at a time queries it.
 *
 * <p>The last answer is in a file, with the instant of its query; all processes use it until it is too old. Then
 * the process that creates the lock file queries again. A lock file that is too old belongs to a process that died.
 *
 * @param interval its maximum age, in milliseconds
 */
public record SharedAnswer(Path file, int interval) {
    private static final String HEAD = "asked ";
    private static final int LOCK_MILLIS = 4 * CommandRunner.LIMIT_MILLIS;

    /**
     * An answer.
     *
     * @param at when it was queried, on the wall clock
     */
    public record Answer(long at, String text) {}

    /** Queries the batch system. */
    public interface Query {
        String run() throws IOException, InterruptedException;
    }

    /** The answer, queried again if it is too old; the old answer, or null, while another process queries. */
    public @Nullable Answer current(Query query) throws IOException, InterruptedException {
        Answer known = read();
        if (known != null && isFresh(known)) {
            return known;
        }
        Files.createDirectories(file.resolveSibling(""));
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        if (!take(lock)) {
            return known;
        }
        try {
            // Another process may have queried just before it released the lock.
            known = read();
            if (known == null || !isFresh(known)) {
                long at = System.currentTimeMillis();
                known = new Answer(at, query.run());
                RunFolder.replace(file, HEAD + at + "\n" + known.text);
            }
            return known;
        } finally {
            Files.deleteIfExists(lock);
        }
    }

    private boolean isFresh(Answer known) {
        long age = System.currentTimeMillis() - known.at;
        return age >= 0 && age < interval;
    }

    private @Nullable Answer read() throws IOException {
        try {
            // Job names may be in any encoding; all processes decode them the same way.
            String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            int end = all.indexOf('\n');
            return end < 0 || !all.startsWith(HEAD)
                    ? null
                    : new Answer(Long.parseLong(all.substring(HEAD.length(), end)), all.substring(end + 1));
        } catch (NoSuchFileException | NumberFormatException e) {
            return null;
        }
    }

    private static boolean take(Path lock) throws IOException {
        try {
            Files.createFile(lock);
            return true;
        } catch (FileAlreadyExistsException e) {
            try {
                long age = System.currentTimeMillis()
                        - Files.getLastModifiedTime(lock).toMillis();
                if (age > LOCK_MILLIS) {
                    Files.deleteIfExists(lock);
                }
            } catch (NoSuchFileException released) {
                // The next call takes the lock.
            }
            return false;
        }
    }
}
