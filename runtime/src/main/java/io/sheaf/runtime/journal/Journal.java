package io.sheaf.runtime.journal;

import io.sheaf.agent.link.RunFolder;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutput;
import java.io.DataOutputStream;
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
 * An append-only log of events and decisions, from which a successor process restores a run.
 *
 * <h2>Commits</h2>
 *
 * {@link #append} buffers records in memory. {@link #commit} writes them and returns when they are durable. Commits are
 * atomic. A failed commit (for example on a full disk) may be retried. The retry rewrites everything that is not
 * durable, because the disk's content is undefined after a failed fsync.
 *
 * <h2>Epochs</h2>
 *
 * A process takes the lease by creating a file with the next number ({@code O_EXCL}), so file locks are unnecessary. A
 * commit checks for a newer file before it writes and again once it is durable. A process that was assumed dead
 * therefore stops before it acts. Its records from after the takeover are ignored: the successor's header contains the
 * valid length of the file.
 */
public final class Journal implements Closeable {
    private final Epochs epochs;
    private final long epoch;
    private final Disk disk;
    private final Path file;
    private final @Nullable Object inode;
    private final @Nullable Header before;
    private final long beforeLength;
    private final Framing pending = new Framing();
    private long durable;
    private long commits;
    private boolean hasLease = true;

    private Journal(Epochs epochs, long epoch, Disk disk, @Nullable Header before, long beforeLength)
            throws IOException {
        this.epochs = epochs;
        this.epoch = epoch;
        this.disk = disk;
        file = epochs.file(epoch);
        inode = inode(file);
        this.before = before;
        this.beforeLength = beforeLength;
    }

    /**
     * Takes the lease of a folder's journal, and creates the journal if it does not exist.
     *
     * @param owner a description of this process, for {@link #owner}
     * @param messages receives reports of discarded records
     */
    public static Journal open(Path folder, String owner, Consumer<String> messages) throws IOException {
        return open(folder, owner, messages, Disk::of);
    }

    /** The same with a wrapper around each disk. */
    public static Journal open(Path folder, String owner, Consumer<String> messages, Function<FileChannel, Disk> disks)
            throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
            Path parent = folder.toAbsolutePath().getParent();
            if (parent != null) {
                RunFolder.sync(parent);
            }
        }
        Epochs epochs = new Epochs(folder);
        long newest = epochs.newest();
        long epoch = newest + 1;
        // Throws before anything is changed if the journal cannot be read.
        epochs.head(newest);
        Disk disk = disks.apply(create(epochs.file(epoch)));
        try {
            // Read only now: the predecessor may have written until it saw the new file.
            Header before = epochs.head(newest);
            long length = before == null ? 0 : epochs.goodLength(before, messages);
            Journal journal = new Journal(epochs, epoch, disk, before, length);
            journal.pending.add(
                    Framing.HEADER, new Header(epoch, before == null ? 0 : before.epoch(), length, owner).bytes());
            journal.write();
            RunFolder.sync(folder);
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
            SupersededException refused = new SupersededException(
                    file + " was made by another process at the same time, which has the lease");
            refused.initCause(e);
            throw refused;
        }
    }

    /** The description of the last lease holder; null if there was none. */
    public static @Nullable String owner(Path folder) throws IOException {
        Epochs epochs = new Epochs(folder);
        Header head = epochs.head(epochs.newest());
        return head == null ? null : head.owner();
    }

    /** Passes on the durable entries of a folder without taking the lease; another process may be writing. */
    public static void readWithoutLease(Path folder, Consumer<JournalEntry> to) throws IOException {
        Epochs epochs = new Epochs(folder);
        long newest = epochs.newest();
        try {
            readWithoutLease(epochs, newest, to);
        } catch (DamagedException | NoSuchFileException e) {
            if (epochs.newest() == newest) {
                throw e;
            }
            // The manager has meanwhile started a new one and removed the older files.
            readWithoutLease(epochs, epochs.newest(), to);
        }
    }

    private static void readWithoutLease(Epochs epochs, long newest, Consumer<JournalEntry> to) throws IOException {
        Header head = epochs.head(newest);
        if (head != null) {
            epochs.replay(head, epochs.goodLength(head, message -> {}), to);
        }
    }

    public long epoch() {
        return epoch;
    }

    /** Passes on all entries that were durable before this epoch. */
    public void replay(Consumer<JournalEntry> to) throws IOException {
        if (before != null) {
            epochs.replay(before, beforeLength, to);
        }
    }

    /**
     * Makes the first commit of this epoch replace all earlier entries. They stay valid until that commit is durable.
     */
    public void beginAnew() {
        if (commits > 0 || pending.size() > 0) {
            throw new IllegalStateException("a new journal begins with its epoch");
        }
        pending.add(Framing.ANEW, new byte[0]);
    }

    /** Files of earlier epochs that a durable later epoch has replaced. */
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

    /** Writes a record's components. */
    @FunctionalInterface
    public interface RecordContent {
        void to(DataOutput out) throws IOException;
    }

    /** Adds a record to the next commit. */
    public void append(byte type, RecordContent content) {
        try {
            append(type, bytes(content));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    static byte[] bytes(RecordContent content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        content.to(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /** The file of this epoch, which exists as long as this process holds the lease. */
    public Path file() {
        return file;
    }

    /** Whether any record is not durable yet. */
    public boolean isPending() {
        return pending.size() > 0;
    }

    /**
     * Makes all appended records durable, and checks afterwards that this process still holds the lease.
     *
     * @throws SupersededException if another process has taken over the lease; this one must not act any more
     * @throws IOException if the records could not be made durable; the call may be repeated
     */
    public void commit() throws IOException {
        if (pending.size() == 0) {
            return;
        }
        checkLease();
        int records = pending.size();
        pending.addMark(commits + 1);
        try {
            write();
        } catch (IOException e) {
            pending.cut(records);
            throw e;
        }
        commits++;
        checkLease();
    }

    private void write() throws IOException {
        disk.write(pending.buffer(), durable);
        disk.force();
        durable += pending.size();
        pending.cut(0);
    }

    /** The inode number of a file; null if the file does not exist or the file system has none. */
    private static @Nullable Object inode(Path file) throws IOException {
        try {
            boolean known = file.getFileSystem().supportedFileAttributeViews().contains("unix");
            return known ? Files.getAttribute(file, "unix:ino") : null;
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /**
     * Whether the file of this epoch is where this process created it. Another file of that name has another inode number,
     * since this process keeps its own open. Thread-safe.
     */
    public boolean isInPlace() throws IOException {
        return inode == null || inode.equals(inode(file));
    }

    /** Whether a journal of another run has taken the place of this one. Thread-safe. */
    public boolean isReplaced() throws IOException {
        Object found = inode(file);
        return found != null && !found.equals(inode);
    }

    /** Whether another process has taken over the lease. Thread-safe. */
    public boolean isSuperseded() throws IOException {
        return epochs.newest() > epoch && !isReplaced();
    }

    /** Throws if this process no longer holds the lease, or if its journal file is missing or another one. */
    public void checkLease() throws IOException {
        if (isReplaced()) {
            throw new IOException(file() + " belongs to another run now");
        }
        long newest = epochs.newest();
        if (newest > epoch) {
            hasLease = false;
        }
        if (!hasLease) {
            throw new SupersededException("another process has taken over this run ("
                    + epochs.file(epoch + 1).getFileName() + " in its journal)");
        }
        if (newest < epoch) {
            throw new IOException(file() + " no longer exists");
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
