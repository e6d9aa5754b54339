package io.sheaf.runtime.record;

import io.sheaf.manager.Claim;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.TaskGroup;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Function;

/** Encodes decisions as bytes: next decision time, memo as text, and orders. */
final class DecisionCodec {
    private static final int SUBMIT = 1;
    private static final int CANCEL = 2;
    private static final int SHORTEN = 3;
    private static final int DRAIN = 4;

    /** Flags of claims. */
    private static final int ONLY_IF_FITS = 1;

    private static final int CHOOSES_CORES = 2;

    private DecisionCodec() {}

    static void write(Decision decision, DataOutput out) throws IOException {
        out.writeLong(decision.wakeAt());
        out.writeUTF(decision.memo().text());
        out.writeInt(decision.orders().size());
        for (Order order : decision.orders()) {
            if (order instanceof Order.Submit submit) {
                out.writeByte(SUBMIT);
                write(submit.request(), out);
                write(submit.claim(), out);
            } else if (order instanceof Order.Cancel cancel) {
                out.writeByte(CANCEL);
                out.writeLong(cancel.token());
            } else if (order instanceof Order.Shorten shorten) {
                out.writeByte(SHORTEN);
                out.writeLong(shorten.token());
                out.writeLong(shorten.walltime());
            } else if (order instanceof Order.Drain drain) {
                out.writeByte(DRAIN);
                out.writeLong(drain.token());
            }
        }
    }

    /** Reads a decision; its strategy parses the memo from the text. */
    static Decision read(DataInput in, Function<String, Memo> memos) throws IOException {
        long wakeAt = in.readLong();
        Memo memo = memos.apply(in.readUTF());
        return new Decision(CheckpointCodec.read(in, () -> order(in)), wakeAt, memo);
    }

    private static Order order(DataInput in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case SUBMIT -> new Order.Submit(request(in), claim(in));
            case CANCEL -> new Order.Cancel(in.readLong());
            case SHORTEN -> new Order.Shorten(in.readLong(), in.readLong());
            case DRAIN -> new Order.Drain(in.readLong());
            default -> throw new IOException("an order of kind " + kind);
        };
    }

    static void write(Request request, DataOutput out) throws IOException {
        out.writeInt(request.pool());
        out.writeInt(request.units());
        out.writeLong(request.walltime());
        out.writeLong(request.notBefore());
        out.writeLong(request.afterToken());
    }

    static Request request(DataInput in) throws IOException {
        return new Request(in.readInt(), in.readInt(), in.readLong(), in.readLong(), in.readLong());
    }

    static void write(Claim claim, DataOutput out) throws IOException {
        out.writeInt(claim.firstLevel());
        out.writeInt(claim.lastLevel());
        TaskGroup tasks = claim.tasks();
        out.writeInt(tasks.size());
        for (int i = 0; i < tasks.size(); i++) {
            out.writeInt(tasks.task(i));
        }
        out.writeByte((claim.onlyIfFits() ? ONLY_IF_FITS : 0) | (claim.choosesCores() ? CHOOSES_CORES : 0));
        out.writeBoolean(claim.sameLevelFirst());
    }

    static Claim claim(DataInput in) throws IOException {
        int first = in.readInt();
        int last = in.readInt();
        TaskGroup tasks = tasks(in);
        int flags = in.readByte();
        return new Claim(
                first, last, tasks, (flags & ONLY_IF_FITS) != 0, in.readBoolean(), (flags & CHOOSES_CORES) != 0);
    }

    private static TaskGroup tasks(DataInput in) throws IOException {
        int[] tasks = new int[in.readInt()];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = in.readInt();
        }
        return tasks.length == 0 ? TaskGroup.ALL : TaskGroup.of(tasks);
    }
}
