package io.sheaf.runtime.cluster;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.journal.JournalEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The log of a {@link ClusterMachine}: its inputs with their instants, which restore its state. */
record ClusterLog(Journal journal) {
    private static final byte BEGUN = 1;
    private static final byte SUBMITTED = 2;
    private static final byte ENDED = 3;
    private static final byte SHORTENED = 4;
    private static final byte PASSED = 5;

    /** The instant at which the cluster began; {@link Cluster#NEVER} if it has not. */
    long begun() throws IOException {
        long[] base = {Cluster.NEVER};
        journal.replay(entry -> begun(entry, base));
        return base[0];
    }

    /** Reads that instant from its entry. */
    static void begun(JournalEntry entry, long[] base) {
        if (entry.type() == BEGUN) {
            base[0] = ByteBuffer.wrap(entry.payload()).getLong();
        }
    }

    void begin(long base) {
        journal.append(BEGUN, bytes(base));
    }

    static void replay(JournalEntry entry, ClusterMachine machine) {
        ByteBuffer in = ByteBuffer.wrap(entry.payload());
        long at = in.getLong();
        switch (entry.type()) {
            case BEGUN -> {}
            case SUBMITTED -> {
                long token = in.getLong();
                machine.submit(
                        at, token, new Request(in.getInt(), in.getInt(), in.getLong(), in.getLong(), in.getLong()));
            }
            case ENDED -> {
                long token = in.getLong();
                String how = StandardCharsets.UTF_8.decode(in).toString();
                machine.end(at, token, Event.End.valueOf(how));
            }
            case SHORTENED -> machine.shorten(at, in.getLong(), in.getLong());
            case PASSED -> machine.pass(at);
            default -> throw new IllegalStateException("a cluster's log with a record of type " + entry.type());
        }
    }

    /** The machine of a log at an instant; does not disturb the process that writes the log. */
    static ClusterMachine machine(ClusterShape shape, Path log, long at) throws IOException {
        long[] base = {at};
        Journal.readWithoutLease(log, entry -> begun(entry, base));
        ClusterMachine machine = new ClusterMachine(shape.policy(), shape.nodes(), shape.load(), base[0]);
        Journal.readWithoutLease(log, entry -> replay(entry, machine));
        // The log omits passes that started none of our jobs, but background jobs started in them.
        while (machine.nextPass() <= at) {
            machine.pass(Math.max(machine.now(), machine.nextPass()));
        }
        return machine;
    }

    void submitted(long at, long token, Request request) {
        ByteBuffer out = ByteBuffer.allocate(48);
        out.putLong(at).putLong(token).putInt(request.pool()).putInt(request.units());
        out.putLong(request.walltime()).putLong(request.notBefore()).putLong(request.afterToken());
        journal.append(SUBMITTED, out.array());
    }

    void ended(long at, long token, Event.End end) {
        byte[] name = end.name().getBytes(StandardCharsets.UTF_8);
        journal.append(
                ENDED,
                ByteBuffer.allocate(16 + name.length)
                        .putLong(at)
                        .putLong(token)
                        .put(name)
                        .array());
    }

    void shortened(long at, long token, long walltime) {
        journal.append(SHORTENED, bytes(at, token, walltime));
    }

    void passed(long at) {
        journal.append(PASSED, bytes(at));
    }

    private static byte[] bytes(long... values) {
        ByteBuffer out = ByteBuffer.allocate(values.length * Long.BYTES);
        for (long value : values) {
            out.putLong(value);
        }
        return out.array();
    }
}
