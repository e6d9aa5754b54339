package io.sheaf.runtime.limits;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A shared count of what all Sheaf processes of a user do, in a folder that all of them can access.
 *
 * <p>A limit of n has n slots. Each slot is a file with the instant of its last use and its holder, and becomes free
 * after an hour. A process takes a slot by exclusively creating the file of its next generation, which is safe on
 * shared file systems and leaves no locks after a crash. At most n slots are allocated per hour, as far as the machines'
 * clocks agree.
 */
public record Ledger(Path folder) {
    /** How long a slot stays in use, in milliseconds. */
    public static final long HOUR = 3_600_000;

    static final String QUEUED = "queued";
    static final String SUBMISSIONS = "submissions";
    static final String CANCELLATIONS = "cancellations";

    private static final int TRIES = 100;

    /**
     * The ledger of this user: in the site's folder, or else in the home folder from the password database, regardless
     * of {@code HOME}.
     */
    public static Ledger of(SubmissionLimits limits) {
        Path shared = limits.ledger();
        return new Ledger(
                shared == null
                        ? Path.of(System.getProperty("user.home"), ".local", "state", "sheaf", "ledger")
                        : shared.resolve(System.getProperty("user.name")));
    }

    /** Whether the site's limits allow submitting and cancelling one probe job outside of runs; if so, counts it. */
    public static boolean mayProbe(long now) throws IOException {
        SubmissionLimits limits = LimitsFile.limits();
        Ledger ledger = of(limits);
        boolean submitted = limits.submissions() == SubmissionLimits.ANY
                || ledger.acquire(SUBMISSIONS, limits.submissions(), "", now);
        return submitted
                && (limits.cancellations() == SubmissionLimits.ANY
                        || ledger.acquire(CANCELLATIONS, limits.cancellations(), "", now));
    }

    /** A slot that is or was in use. */
    private record Slot(int number, int generation, long usedAt, String holder) {
        String file() {
            return number + "." + generation;
        }

        boolean isFree(long now) {
            // An instant far in the future comes from a wrong clock.
            return usedAt <= now - HOUR || usedAt > now + HOUR;
        }
    }

    /**
     * Takes one of {@code slots} slots of a kind for an hour, and returns whether one was free. A holder that already
     * has one renews it.
     */
    public boolean acquire(String kind, int slots, String holder, long now) throws IOException {
        Map<Integer, Slot> known = slots(kind, now);
        for (Slot slot : known.values()) {
            if (!holder.isEmpty() && slot.holder().equals(holder)) {
                renew(kind, slot, now);
                return true;
            }
        }
        for (int number = 0; number < slots; number++) {
            Slot last = known.get(number);
            if ((last == null || last.isFree(now)) && create(kind, number, last, holder, now)) {
                return true;
            }
        }
        return false;
    }

    private boolean create(String kind, int number, @Nullable Slot last, String holder, long now) throws IOException {
        Path at = folder.resolve(kind);
        Files.createDirectories(at, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = at.resolve(number + "." + (last == null ? 1 : last.generation() + 1));
        try {
            Files.writeString(file, now + " " + holder + "\n", StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        if (last != null) {
            Files.deleteIfExists(at.resolve(last.file()));
        }
        // A slow process may have created a generation that others have passed: then neither has
        // the slot.
        for (Path other : files(kind)) {
            if (String.valueOf(other.getFileName()).startsWith(number + ".") && !other.equals(file)) {
                Files.deleteIfExists(file);
                return false;
            }
        }
        return true;
    }

    private void renew(String kind, Slot slot, long now) throws IOException {
        Path at = folder.resolve(kind);
        Path temporary = Files.createTempFile(at, "new", ".tmp");
        Files.writeString(temporary, now + " " + slot.holder() + "\n");
        Files.move(
                temporary,
                at.resolve(slot.file()),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** Releases a holder's slot, if it has one. */
    public void release(String kind, String holder) throws IOException {
        for (Slot slot : slots(kind, Long.MAX_VALUE).values()) {
            if (slot.holder().equals(holder)) {
                Files.deleteIfExists(folder.resolve(kind).resolve(slot.file()));
            }
        }
    }

    /** Whether a holder has a slot, even an expired one. */
    public boolean isHeld(String kind, String holder) throws IOException {
        return slots(kind, Long.MAX_VALUE).values().stream()
                .anyMatch(slot -> slot.holder().equals(holder));
    }

    /** The newest generation of each slot that is or was in use. */
    private Map<Integer, Slot> slots(String kind, long now) throws IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            Map<Integer, Slot> slots = new HashMap<>();
            boolean complete = true;
            for (Path file : files(kind)) {
                try {
                    Slot slot = read(file, now);
                    if (slot != null) {
                        slots.merge(slot.number(), slot, (a, b) -> a.generation() > b.generation() ? a : b);
                    }
                } catch (NoSuchFileException e) {
                    // Another process has replaced the file by another generation: list again.
                    complete = false;
                }
            }
            if (complete) {
                return slots;
            }
        }
        throw new IOException(folder.resolve(kind) + " changes all the time");
    }

    private List<Path> files(String kind) throws IOException {
        List<Path> files = new ArrayList<>();
        Path at = folder.resolve(kind);
        if (Files.isDirectory(at)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(at, "[0-9]*.[0-9]*")) {
                all.forEach(files::add);
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }
        return files;
    }

    private static @Nullable Slot read(Path file, long now) throws IOException {
        String[] name = String.valueOf(file.getFileName()).split("\\.", -1);
        if (name.length != 2 || !name[0].matches("[0-9]{1,6}") || !name[1].matches("[0-9]{1,9}")) {
            return null;
        }
        String text = Files.readString(file);
        int blank = text.indexOf(' ');
        boolean complete =
                blank > 0 && text.endsWith("\n") && text.substring(0, blank).matches("[0-9]{1,15}");
        // A file that is being written counts as in use now.
        long at = complete
                ? Long.parseLong(text.substring(0, blank))
                : Math.min(now, Files.getLastModifiedTime(file).toMillis());
        String holder = complete ? text.substring(blank + 1).strip() : "";
        return new Slot(Integer.parseInt(name[0]), Integer.parseInt(name[1]), at, holder);
    }
}
