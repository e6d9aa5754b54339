package io.sheaf.runtime.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An append-only record of what a process was told and decided, from which the next one goes on.
 *
 * <h2>Commits</h2>
 * {@link #append} keeps records in memory; {@link #commit} writes them in one piece and returns when they are durable. A commit is there as a whole or
 * not at all. One that fails (the disk is full) may be tried again: everything that is not durable is written anew, because after a failed
 * fsync nobody knows what the disk has.
 *
 * <h2>Epochs</h2>
 * Every process that takes charge makes a file of its own, numbered one higher, which nobody else can make (O_EXCL); no file locks are
 * needed. A commit looks for a newer file before it writes and again when it is durable, so that a process which was thought dead stops before it acts.
 * What such a process wrote after its successor began does not count: the successor's header says how much of the file does.
 */
public final class Journal implements Closeable {
    private final Epochs epochs;
    private final long epoch;
    private final Disk disk;
    private final @Nullable Header before;
    private final long beforeLength;
    private final Framing pending = new Framing();
    private long durable;
    private long commits;
    private boolean inCharge = true;

    private Journal(Epochs epochs, long epoch, Disk disk, @Nullable Header before, long beforeLength) {
        this.epochs = epochs;
        this.epoch = epoch;
        this.disk = disk;
        this.before = before;
        this.beforeLength = beforeLength;
    }

    /**
     * Takes charge of a folder's journal, which is made if it is not there.
     *
     * @param owner who takes charge, for {@link #owner}
     * @param messages told what had to be left out
     */
    public static Journal open(Path folder, String owner, Consumer<String> messages) throws IOException {
        return open(folder, owner, messages, Disk::of);
    }

    /** The same on disks that may have something between them and the file. */
    public static Journal open(Path folder, String owner, Consumer<String> messages, Function<FileChannel, Disk> disks)
            throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Path parent = folder.toAbsolutePath().getParent();
            if (parent != null) {
                Epochs.sync(parent);
            }
        }
        Epochs epochs = new Epochs(folder);
        long newest = epochs.newest();
        long epoch = newest + 1;
        // What cannot be read is left as it is.
        epochs.head(newest);
        Disk disk = disks.apply(create(epochs.file(epoch)));
        try {
            // Read only now: its process may have written until it saw the new file.
            Header before = epochs.head(newest);
            long length = before == null ? 0 : epochs.goodLength(before, messages);
            Journal journal = new Journal(epochs, epoch, disk, before, length);
            journal.pending.add(
                    Framing.HEADER, new Header(epoch, before == null ? 0 : before.epoch(), length, owner).bytes());
            journal.write();
            Epochs.sync(folder);
            return journal;
        } catch (IOException | RuntimeException e) {
            disk.close();
            throw e;
        }
    }

    private static FileChannel create(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            SupersededException refused =
                    new SupersededException(file + " was made by another process at the same time; it is in charge");
            refused.initCause(e);
            throw refused;
        }
    }

    /** Who took charge of a journal last; null if nobody did. */
    public static @Nullable String owner(Path folder) throws IOException {
        Epochs epochs = new Epochs(folder);
        Header head = epochs.head(epochs.newest());
        return head == null ? null : head.owner();
    }

    /** Tells what is durable in a folder without taking charge of it; another process may be writing. */
    public static void look(Path folder, Consumer<Entry> to) throws IOException {
        Epochs epochs = new Epochs(folder);
        long newest = epochs.newest();
        try {
            look(epochs, newest, to);
        } catch (DamagedException | NoSuchFileException e) {
            if (epochs.newest() == newest) {
                throw e;
            }
            // The process in charge has begun anew meanwhile, and what it does not need any more is gone.
            look(epochs, epochs.newest(), to);
        }
    }

    private static void look(Epochs epochs, long newest, Consumer<Entry> to) throws IOException {
        Header head = epochs.head(newest);
        if (head != null) {
            epochs.replay(head, epochs.goodLength(head, message -> {}), to);
        }
    }

    /** The number under which this process is in charge. */
    public long epoch() {
        return epoch;
    }

    /** Tells everything that was durable before this epoch. */
    public void replay(Consumer<Entry> to) throws IOException {
        if (before != null) {
            epochs.replay(before, beforeLength, to);
        }
    }

    /**
     * Makes the first commit of this epoch say all that has to be known: when it is durable, nothing that was before is told to anybody any more. Until then everything is.
     */
    public void beginAnew() {
        if (commits > 0 || pending.size() > 0) {
            throw new IllegalStateException("a journal begins anew with its epoch");
        }
        pending.add(Framing.ANEW, new byte[0]);
    }

    /** Files of epochs that nobody needs any more, since a later one that is durable has begun anew. */
    public List<Path> outlived() throws IOException {
        Header head = epochs.head(epoch);
        return head == null ? List.of() : epochs.before(epochs.chain(head, epochs.goodLength(head, message -> {})));
    }

    /** Adds a record to the next commit. */
    public void append(byte type, byte[] payload) {
        if (type <= Framing.MARK) {
            throw new IllegalArgumentException("record type " + type + ": from 1 on");
        }
        pending.add(type, payload);
    }

    /** The file that this process writes, which is there as long as it is in charge. */
    public Path file() {
        return epochs.file(epoch);
    }

    /** Whether there is something that is not durable. */
    public boolean isPending() {
        return pending.size() > 0;
    }

    /**
     * Returns when everything appended is durable and this process was still in charge thereafter.
     *
     * @throws SupersededException if another process has taken charge; nothing may be done any more
     * @throws IOException if it could not be made durable; it may be tried again
     */
    public void commit() throws IOException {
        if (pending.size() == 0) {
            return;
        }
        checkInCharge();
        int records = pending.size();
        pending.addMark(commits + 1);
        try {
            write();
        } catch (IOException e) {
            pending.cut(records);
            throw e;
        }
        commits++;
        checkInCharge();
    }

    private void write() throws IOException {
        disk.write(pending.buffer(), durable);
        disk.force();
        durable += pending.size();
        pending.cut(0);
    }

    /** Whether another process has taken charge; may be asked by any thread. */
    public boolean isSuperseded() throws IOException {
        return epochs.newest() > epoch;
    }

    /** Stops a process that is not in charge any more, and one whose journal is not there: it would be on record nowhere what it does. */
    public void checkInCharge() throws IOException {
        long newest = epochs.newest();
        if (newest > epoch) {
            inCharge = false;
        }
        if (!inCharge) {
            throw new SupersededException("another process has taken charge of this run ("
                    + epochs.file(epoch + 1).getFileName() + " in its journal)");
        }
        if (newest < epoch) {
            throw new IOException(file() + " is gone");
        }
    }

    @Override
    public void close() {
        try {
            disk.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
