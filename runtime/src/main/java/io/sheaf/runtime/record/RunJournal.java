package io.sheaf.runtime.record;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Memo;
import io.sheaf.runtime.journal.Entry;
import io.sheaf.runtime.journal.Journal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a run: what was told to its manager, what was decided, and what is worth keeping beside that.
 *
 * <p>The events, the instants of settling and the decisions, in this order, make the manager again.
 */
public final class RunJournal {
    /** Raised when a record's bytes change their meaning. */
    private static final int VERSION = 2;

    private static final byte BEGUN = 1;
    private static final byte EVENT = 2;
    private static final byte SETTLED = 3;
    private static final byte RESULT = 4;
    private static final byte CONSIDERED = 5;

    /** Hears what a journal holds, in order. */
    public interface Listener {
        void begun(String run, long at);

        void event(Event event);

        void settled(long at, @Nullable Decision decision);

        void result(Result result);

        void considered(Considerations considerations);
    }

    /** Writes a record's components. */
    private interface Content {
        void to(DataOutput out) throws IOException;
    }

    private final Journal journal;

    public RunJournal(Journal journal) {
        this.journal = journal;
    }

    public long epoch() {
        return journal.epoch();
    }

    /** The run begins; the first record of all. */
    public void begin(String run, long at) {
        append(BEGUN, out -> {
            out.writeInt(VERSION);
            out.writeUTF(run);
            out.writeLong(at);
        });
    }

    /** Begins with what follows, up to the next commit, in place of all that was before; the first of this process. */
    public void beginAnew() {
        journal.beginAnew();
    }

    /** Files that nobody needs any more. */
    public List<Path> outlived() throws IOException {
        return journal.outlived();
    }

    public void event(Event event) {
        append(EVENT, out -> EventCodec.write(event, out));
    }

    public void settled(long at, @Nullable Decision decision) {
        append(SETTLED, out -> {
            out.writeLong(at);
            out.writeBoolean(decision != null);
            if (decision != null) {
                DecisionCodec.write(decision, out);
            }
        });
    }

    public void result(Result result) {
        append(RESULT, result::write);
    }

    public void considered(Considerations considerations) {
        append(CONSIDERED, considerations::write);
    }

    /** See {@link Journal#commit}. */
    public void commit() throws IOException {
        journal.commit();
    }

    /** Stops a process that is not in charge any more. */
    public void checkInCharge() throws IOException {
        journal.checkInCharge();
    }

    public void close() {
        journal.close();
    }

    /** Tells everything from before this process took charge. */
    public void replay(Function<String, Memo> memos, Listener to) throws IOException {
        replay(journal::replay, memos, to);
    }

    /** Tells what is durable in a folder, without taking charge. */
    public static void look(Path folder, Function<String, Memo> memos, Listener to) throws IOException {
        replay(entries -> Journal.look(folder, entries), memos, to);
    }

    private interface Entries {
        void to(Consumer<Entry> entries) throws IOException;
    }

    private static void replay(Entries entries, Function<String, Memo> memos, Listener to) throws IOException {
        try {
            entries.to(entry -> tell(entry, memos, to));
        } catch (UncheckedIOException e) {
            throw new IOException("the journal cannot be understood: " + e.getMessage(), e);
        }
    }

    private static void tell(Entry entry, Function<String, Memo> memos, Listener to) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(entry.payload()));
        try {
            switch (entry.type()) {
                case BEGUN -> {
                    int version = in.readInt();
                    if (version != VERSION) {
                        throw new IOException("its records have version " + version + ", this Sheaf reads " + VERSION
                                + "; use the Sheaf that began the run");
                    }
                    to.begun(in.readUTF(), in.readLong());
                }
                case EVENT -> to.event(EventCodec.read(in));
                case SETTLED -> to.settled(in.readLong(), in.readBoolean() ? DecisionCodec.read(in, memos) : null);
                case RESULT -> to.result(Result.read(in));
                case CONSIDERED -> to.considered(Considerations.read(in));
                default -> throw new IOException("a record of type " + entry.type());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private void append(byte type, Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            content.to(new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        journal.append(type, bytes.toByteArray());
    }
}
