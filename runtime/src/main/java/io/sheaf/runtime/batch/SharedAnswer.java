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
 * What a batch system says to one question, asked by one process at a time however many of a user want to know.
 *
 * <p>The last answer lies in a file, with the instant at which it was asked for; it serves everybody until it is too old. Then whoever can make the lock asks
 * anew. A lock that is too old belongs to a process that died.
 */
public final class SharedAnswer {
    private static final String HEAD = "asked ";
    private static final int LOCK_MILLIS = 4 * CommandRunner.LIMIT_MILLIS;

    private final Path file;
    private final Path lock;
    private final int interval;

    /**
     * An answer that lies in a file.
     *
     * @param interval how old it may be, in milliseconds
     */
    public SharedAnswer(Path file, int interval) {
        this.file = file;
        this.interval = interval;
        lock = file.resolveSibling(file.getFileName() + ".lock");
    }

    /**
     * An answer.
     *
     * @param at when it was asked for, on the wall clock
     */
    public record Told(long at, String text) {}

    /** Asks the batch system. */
    public interface Asking {
        String ask() throws IOException, InterruptedException;
    }

    public int interval() {
        return interval;
    }

    /** What is known, asked for anew if it is too old; the old answer, or null, if another process is just asking. */
    public @Nullable Told look(Asking asking) throws IOException, InterruptedException {
        Told known = read();
        if (known != null && isFresh(known)) {
            return known;
        }
        Files.createDirectories(file.resolveSibling(""));
        if (!takeLock()) {
            return known;
        }
        try {
            // Somebody may have asked just before the lock was free.
            known = read();
            return known != null && isFresh(known) ? known : ask(asking);
        } finally {
            Files.deleteIfExists(lock);
        }
    }

    private Told ask(Asking asking) throws IOException, InterruptedException {
        long at = System.currentTimeMillis();
        Told told = new Told(at, asking.ask());
        RunFolder.replace(file, HEAD + at + "\n" + told.text);
        return told;
    }

    private boolean isFresh(Told known) {
        long age = System.currentTimeMillis() - known.at;
        return age >= 0 && age < interval;
    }

    private @Nullable Told read() throws IOException {
        try {
            // Names of jobs may be in any encoding; whoever asks sees them the same way.
            String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            int end = all.indexOf('\n');
            return end < 0 || !all.startsWith(HEAD)
                    ? null
                    : new Told(Long.parseLong(all.substring(HEAD.length(), end)), all.substring(end + 1));
        } catch (NoSuchFileException | NumberFormatException e) {
            return null;
        }
    }

    private boolean takeLock() throws IOException {
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
            } catch (NoSuchFileException gone) {
                // The next look takes it.
                return false;
            }
            return false;
        }
    }
}
