package io.sheaf.slurm;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The user's jobs, asked for by one {@code squeue} at a time however many processes of the user want to know.
 *
 * <p>The last answer lies in a file of the user's state folder, with the instant at which it was asked for; it serves everybody until it is too
 * old. Then whoever can make the lock asks anew. A lock that is too old belongs to a process that died.
 */
public final class SharedQueue {
    /** How old an answer may be unless configured. */
    public static final int INTERVAL_MILLIS = 30_000;

    private static final String HEAD = "asked ";
    private static final int LOCK_MILLIS = 4 * SlurmCommands.LIMIT_MILLIS;

    private final SlurmCommands commands;
    private final Path file;
    private final String user;
    private final int interval;

    /**
     * The queue of a cluster as a user sees it.
     *
     * @param folder the user's state folder
     * @param cluster tells clusters apart
     */
    public SharedQueue(SlurmCommands commands, Path folder, String cluster, String user, int interval) {
        this.commands = commands;
        this.user = user;
        this.interval = interval;
        file = folder.resolve("squeue-" + Integer.toHexString(cluster.hashCode()));
    }

    /**
     * An answer.
     *
     * @param at when it was asked for, on the wall clock
     */
    public record Snapshot(long at, List<QueueLine> jobs) {
        /** Nothing is known yet. */
        static final Snapshot NONE = new Snapshot(0, List.of());

        public Snapshot {
            jobs = List.copyOf(jobs);
        }
    }

    public int interval() {
        return interval;
    }

    /** What is known, asked for anew if it is too old; the old answer, or {@link Snapshot#NONE}, if another process is just asking. */
    Snapshot look() throws IOException, InterruptedException {
        Snapshot known = read();
        if (known != null && isFresh(known)) {
            return known;
        }
        Files.createDirectories(file.resolveSibling(""));
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        if (!take(lock)) {
            return known == null ? Snapshot.NONE : known;
        }
        try {
            // Somebody may have asked just before the lock was free.
            known = read();
            return known != null && isFresh(known) ? known : ask();
        } finally {
            Files.deleteIfExists(lock);
        }
    }

    private boolean isFresh(Snapshot known) {
        long age = System.currentTimeMillis() - known.at();
        return age >= 0 && age < interval;
    }

    private Snapshot ask() throws IOException, InterruptedException {
        long at = System.currentTimeMillis();
        SlurmCommands.Answer answer = commands.ask("squeue", "-h", "-u", user, "-o", QueueLine.FORMAT);
        if (!answer.isGood()) {
            throw new SlurmAwayException("squeue: " + answer.why());
        }
        Snapshot made = new Snapshot(at, parse(answer.lines()));
        RunFolder.replace(file, HEAD + at + "\n" + answer.out());
        return made;
    }

    private static List<QueueLine> parse(List<String> lines) throws SlurmAwayException {
        try {
            return QueueLine.parse(lines);
        } catch (InputException e) {
            throw new SlurmAwayException(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Snapshot read() throws IOException {
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.isEmpty() || !lines.get(0).startsWith(HEAD)) {
                return null;
            }
            return new Snapshot(
                    Long.parseLong(lines.get(0).substring(HEAD.length())), parse(lines.subList(1, lines.size())));
        } catch (NoSuchFileException | SlurmAwayException | NumberFormatException e) {
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
            } catch (NoSuchFileException gone) {
                // The next look takes it.
                return false;
            }
            return false;
        }
    }
}
