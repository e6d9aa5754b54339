package io.sheaf.runtime.record;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Memo;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.journal.JournalEntry;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a run: the manager's events, the decisions, and details for reports.
 *
 * <p>Replaying events, settle instants and decisions in order restores the manager.
 */
public final class RunJournal {
    /** The version of the record format; raised when the meaning of a record's bytes changes. All earlier ones are read. */
    private static final int VERSION = 2;

    /** The first version whose checkpoints have shared cores, and whose agents this Sheaf can speak to. */
    static final int SHARED_CORES = 2;

    private static final byte BEGUN = 1;
    private static final byte EVENT = 2;
    private static final byte SETTLED = 3;
    private static final byte RESULT = 4;
    private static final byte CONSIDERED = 5;

    /** Receives the records of a journal, in order; by default it ignores them. */
    public interface Listener {
        default void begun(String run, long at) {}

        default void event(Event event) {}

        default void settled(long at, @Nullable Decision decision) {}

        default void result(AttemptResult result) {}

        default void considered(Considerations considerations) {}
    }

    private final Journal journal;
    private int version = VERSION;

    public RunJournal(Journal journal) {
        this.journal = journal;
    }

    /** Records the start of the run, always the first record. Once more in a run that {@link #isOlder}: it then continues in this version. */
    public void begin(String run, long at) {
        journal.append(BEGUN, out -> {
            out.writeInt(VERSION);
            out.writeUTF(run);
            out.writeLong(at);
        });
    }

    /** Makes the records up to the next commit replace all earlier ones. They must be the first of this process. */
    public void beginAnew() {
        journal.beginAnew();
    }

    /** Files that are no longer needed; see {@link Journal#outlived}. */
    public List<Path> obsoleteFiles() throws IOException {
        return journal.outlived();
    }

    public void event(Event event) {
        journal.append(EVENT, out -> EventCodec.write(event, out));
    }

    public void settled(long at, @Nullable Decision decision) {
        journal.append(SETTLED, out -> {
            out.writeLong(at);
            out.writeBoolean(decision != null);
            if (decision != null) {
                DecisionCodec.write(decision, out);
            }
        });
    }

    public void result(AttemptResult result) {
        journal.append(RESULT, result::write);
    }

    public void considered(Considerations considerations) {
        journal.append(CONSIDERED, considerations::write);
    }

    /** See {@link Journal#commit}. */
    public void commit() throws IOException {
        journal.commit();
    }

    /** See {@link Journal#checkLease}. */
    public void checkLease() throws IOException {
        journal.checkLease();
    }

    /** Passes on all records from before this process took the lease. */
    public void replay(Function<String, Memo> memoReaders, Listener to) throws IOException {
        version = replay(journal::replay, memoReaders, to);
    }

    /** After {@link #replay}: whether an earlier release of Sheaf wrote the last records, whose agents do not understand this one. */
    public boolean isOlder() {
        return version < SHARED_CORES;
    }

    /** Passes on the durable records of a folder without taking the lease. */
    public static void scan(Path folder, Function<String, Memo> memoReaders, Listener to) throws IOException {
        replay(entries -> Journal.readWithoutLease(folder, entries), memoReaders, to);
    }

    /** Passes on the durable results of a folder, in order. */
    public static void results(Path folder, Consumer<AttemptResult> to) throws IOException {
        Journal.readWithoutLease(folder, entry -> {
            try {
                if (entry.type() == RESULT) {
                    to.accept(AttemptResult.read(new DataInputStream(new ByteArrayInputStream(entry.payload()))));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e.getMessage(), e);
            }
        });
    }

    private interface Entries {
        void to(Consumer<JournalEntry> entries) throws IOException;
    }

    /** The version of the last record. */
    private static int replay(Entries entries, Function<String, Memo> memoReaders, Listener to) throws IOException {
        int[] version = {VERSION};
        try {
            entries.to(entry -> {
                DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry.payload()));
                try {
                    if (entry.type() == BEGUN) {
                        version[0] = readVersion(in);
                    }
                    dispatch(entry.type(), version[0], in, memoReaders, to);
                } catch (IOException e) {
                    throw new UncheckedIOException(e.getMessage(), e);
                }
            });
        } catch (UncheckedIOException e) {
            throw new IOException("the journal cannot be parsed: " + e.getMessage(), e);
        }
        return version[0];
    }

    private static int readVersion(DataInputStream in) throws IOException {
        int version = in.readInt();
        if (version < 1 || version > VERSION) {
            throw new IOException("its records have version " + version + ", this Sheaf reads versions up to " + VERSION
                    + "; continue with the Sheaf that started the run");
        }
        return version;
    }

    private static void dispatch(
            byte type, int version, DataInputStream in, Function<String, Memo> memoReaders, Listener to)
            throws IOException {
        switch (type) {
            case BEGUN -> to.begun(in.readUTF(), in.readLong());
            case EVENT -> to.event(EventCodec.read(in, version));
            case SETTLED -> to.settled(in.readLong(), in.readBoolean() ? DecisionCodec.read(in, memoReaders) : null);
            case RESULT -> to.result(AttemptResult.read(in));
            case CONSIDERED -> to.considered(Considerations.read(in));
            default -> throw new IOException("a record of type " + type);
        }
    }
}
