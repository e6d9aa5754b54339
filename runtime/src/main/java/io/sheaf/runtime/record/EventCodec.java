package io.sheaf.runtime.record;

import io.sheaf.manager.Event;
import io.sheaf.manager.ExpectedTasks;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.workflow.Resources;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes events as bytes: kind, instant, components in order. The numbers of kinds never change; constants are written
 * by name.
 */
final class EventCodec {
    private static final int ACCEPTED = 1;
    private static final int REFUSED = 2;
    private static final int STARTED = 3;
    private static final int NODE_UP = 4;
    private static final int NODE_LOST = 5;
    private static final int ENDED = 6;
    private static final int TASK_ENDED = 7;
    private static final int WOKEN = 8;
    // 9 is reserved: an obsolete kind.
    private static final int RESUMED = 10;
    private static final int CANCELLED = 11;
    private static final int RETIMED = 12;
    private static final int GROWN = 20;
    private static final int OPENED = 21;
    private static final int CLOSED = 22;
    private static final int HELD = 23;
    private static final int DROPPED = 24;
    private static final int RESTORED = 25;
    private static final int AWAITED = 26;
    private static final int ATTEMPTED = 27;
    private static final int RESTORED_WITH_RESOURCES = 28;
    private static final int NODE_UP_WITH = 29;
    private static final int NODE_UP_ON = 30;
    private static final int NODE_SILENT = 31;
    private static final int RESTORED_WITH_HOSTS = 32;
    private static final int LIMITED = 33;
    private static final int GRANTED = 34;
    private static final int POOLS_UNAVAILABLE = 40;
    private static final int PLACED = 41;
    private static final int PREEMPTIBLE = 42;
    private static final int LONGEST_TEXT = 10_000;

    private EventCodec() {}

    static void write(Event event, DataOutput out) throws IOException {
        if (event instanceof Event.Accepted e) {
            head(out, ACCEPTED, e.at(), e.token());
        } else if (event instanceof Event.Limited e) {
            head(out, LIMITED, e.at(), e.token());
        } else if (event instanceof Event.PoolsUnavailable e) {
            head(out, POOLS_UNAVAILABLE, e.at());
            out.writeInt(e.first());
            out.writeInt(e.count());
            out.writeBoolean(e.unavailable());
        } else if (event instanceof Event.Preemptible e) {
            head(out, PREEMPTIBLE, e.at());
            out.writeInt(e.pool());
            out.writeLong(e.mean());
        } else if (event instanceof Event.Placed e) {
            head(out, PLACED, e.at());
            out.writeInt(e.first());
            out.writeInt(e.count());
            out.writeLong(e.micros());
            out.writeInt(e.files().size());
            for (int i = 0; i < e.files().size(); i++) {
                out.writeUTF(clipped(e.files().get(i)));
                out.writeLong(e.bytes().get(i));
            }
        } else if (event instanceof Event.Refused e) {
            head(out, REFUSED, e.at(), e.token());
            out.writeUTF(clipped(e.reason()));
        } else if (event instanceof Event.Started e) {
            head(out, STARTED, e.at(), e.token());
            out.writeBoolean(e.nodesUp());
        } else if (event instanceof Event.NodeUp e) {
            Resources has = e.resources();
            head(out, NODE_UP_ON, e.at(), e.token());
            out.writeInt(e.node());
            out.writeBoolean(has != null);
            if (has != null) {
                ResourcesCodec.write(has, out);
            }
            out.writeUTF(clipped(e.host()));
        } else if (event instanceof Event.Granted e) {
            head(out, GRANTED, e.at(), e.token());
            out.writeInt(e.units());
            out.writeLong(e.walltime());
        } else if (event instanceof Event.NodeSilent e) {
            head(out, NODE_SILENT, e.at(), e.token());
            out.writeUTF(clipped(e.host()));
        } else if (event instanceof Event.NodeLost e) {
            head(out, NODE_LOST, e.at(), e.token());
            out.writeInt(e.node());
        } else if (event instanceof Event.Ended e) {
            head(out, ENDED, e.at(), e.token());
            out.writeUTF(e.how().name());
        } else if (event instanceof Event.TaskEnded e) {
            head(out, TASK_ENDED, e.at(), e.token());
            out.writeInt(e.task());
            out.writeInt(e.attempt());
            out.writeUTF(e.outcome().name());
            out.writeLong(e.took());
        } else if (event instanceof Event.Grown e) {
            head(out, GROWN, e.at());
            WorkflowCodec.write(e.added(), out);
        } else if (event instanceof Event.Retimed e) {
            head(out, RETIMED, e.at());
            write(e.times(), out);
        } else if (event instanceof Event.Held e) {
            head(out, HELD, e.at());
            out.writeInt(e.first());
            out.writeInt(e.count());
            out.writeBoolean(e.held());
        } else if (event instanceof Event.Awaited e) {
            head(out, AWAITED, e.at());
            out.writeBoolean(e.more());
            CheckpointCodec.write(e.expected(), out, each -> {
                out.writeInt(each.count());
                out.writeLong(each.millis());
                out.writeInt(each.cores());
            });
        } else if (event instanceof Event.Attempted e) {
            head(out, ATTEMPTED, e.at());
            out.writeInt(e.task());
            out.writeInt(e.attempt());
        } else if (event instanceof Event.Dropped e) {
            head(out, DROPPED, e.at());
            out.writeInt(e.first());
            out.writeInt(e.count());
        } else if (event instanceof Event.Restored e) {
            head(out, RESTORED_WITH_HOSTS, e.at());
            CheckpointCodec.write(e.as(), out);
        } else {
            head(out, bare(event), event.at());
        }
    }

    /** The kind of an event that has only an instant. */
    private static int bare(Event event) {
        if (event instanceof Event.Opened) {
            return OPENED;
        } else if (event instanceof Event.Closed) {
            return CLOSED;
        }
        return event instanceof Event.Woken ? WOKEN : event instanceof Event.Resumed ? RESUMED : CANCELLED;
    }

    /** Reads an event that a journal of this version holds. */
    static Event read(DataInputStream in, int version) throws IOException {
        int kind = in.readUnsignedByte();
        long at = in.readLong();
        return switch (kind) {
            case ACCEPTED -> new Event.Accepted(at, in.readLong());
            case LIMITED -> new Event.Limited(at, in.readLong());
            case REFUSED -> new Event.Refused(at, in.readLong(), in.readUTF());
            case STARTED -> new Event.Started(at, in.readLong(), in.readBoolean());
            case NODE_UP -> new Event.NodeUp(at, in.readLong(), in.readInt());
            case NODE_UP_WITH -> new Event.NodeUp(at, in.readLong(), in.readInt(), ResourcesCodec.read(in), "");
            case NODE_UP_ON ->
                new Event.NodeUp(
                        at,
                        in.readLong(),
                        in.readInt(),
                        in.readBoolean() ? ResourcesCodec.read(in) : null,
                        in.readUTF());
            case GRANTED -> new Event.Granted(at, in.readLong(), in.readInt(), in.readLong());
            case NODE_SILENT -> new Event.NodeSilent(at, in.readLong(), in.readUTF());
            case NODE_LOST -> new Event.NodeLost(at, in.readLong(), in.readInt());
            case ENDED -> new Event.Ended(at, in.readLong(), Event.End.valueOf(in.readUTF()));
            case TASK_ENDED ->
                new Event.TaskEnded(
                        at,
                        in.readLong(),
                        in.readInt(),
                        in.readInt(),
                        Event.Outcome.valueOf(in.readUTF()),
                        // Earlier releases did not measure it.
                        in.available() > 0 ? in.readLong() : Event.TaskEnded.SINCE_START);
            case WOKEN -> new Event.Woken(at);
            case GROWN -> new Event.Grown(at, WorkflowCodec.readAddition(in));
            case OPENED -> new Event.Opened(at);
            case CLOSED -> new Event.Closed(at);
            case HELD -> new Event.Held(at, in.readInt(), in.readInt(), in.readBoolean());
            case AWAITED ->
                new Event.Awaited(
                        at,
                        in.readBoolean(),
                        // Earlier releases did not write expected tasks.
                        in.available() == 0
                                ? List.of()
                                : CheckpointCodec.read(
                                        in, () -> new ExpectedTasks(in.readInt(), in.readLong(), in.readInt())));
            case ATTEMPTED -> new Event.Attempted(at, in.readInt(), in.readInt());
            case DROPPED -> new Event.Dropped(at, in.readInt(), in.readInt());
            case RESTORED -> new Event.Restored(at, CheckpointCodec.readPlain(in, version));
            case RESTORED_WITH_RESOURCES -> new Event.Restored(at, CheckpointCodec.readWithoutHosts(in));
            case RESTORED_WITH_HOSTS -> new Event.Restored(at, CheckpointCodec.read(in));
            case POOLS_UNAVAILABLE -> new Event.PoolsUnavailable(at, in.readInt(), in.readInt(), in.readBoolean());
            case PREEMPTIBLE -> new Event.Preemptible(at, in.readInt(), in.readLong());
            case PLACED -> readPlaced(at, in);
            case RESUMED -> new Event.Resumed(at);
            case RETIMED -> new Event.Retimed(at, readTimes(in));
            case CANCELLED -> new Event.Cancelled(at);
            default ->
                throw new IOException("an event of kind " + kind + ", which this version of Sheaf does not support");
        };
    }

    private static Event.Placed readPlaced(long at, DataInput in) throws IOException {
        int first = in.readInt();
        int count = in.readInt();
        long micros = in.readLong();
        List<String> files = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            files.add(in.readUTF());
            bytes.add(in.readLong());
        }
        return new Event.Placed(at, first, count, files, bytes, micros);
    }

    /** Writes the kind of an event and its first components. */
    private static void head(DataOutput out, int kind, long... first) throws IOException {
        out.writeByte(kind);
        for (long each : first) {
            out.writeLong(each);
        }
    }

    private static void write(RunTimeUpdate times, DataOutput out) throws IOException {
        out.writeInt(times.size());
        for (int i = 0; i < times.size(); i++) {
            out.writeInt(times.task(i));
            out.writeLong(times.expected(i));
            out.writeLong(times.bound(i));
        }
    }

    private static RunTimeUpdate readTimes(DataInput in) throws IOException {
        int size = in.readInt();
        int[] tasks = new int[size];
        long[] expected = new long[size];
        long[] bound = new long[size];
        for (int i = 0; i < size; i++) {
            tasks[i] = in.readInt();
            expected[i] = in.readLong();
            bound[i] = in.readLong();
        }
        return new RunTimeUpdate(tasks, expected, bound);
    }

    static String clipped(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    }
}
