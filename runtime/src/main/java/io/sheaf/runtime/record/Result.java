package io.sheaf.runtime.record;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** An agent's report of a finished attempt, with details for reports that the manager does not use. */
public record Result(long token, int node, Message.Ended said) {
    /** The outcome for the manager. */
    public Event.Outcome outcome() {
        return switch (said.outcome()) {
            case SUCCEEDED -> Event.Outcome.SUCCEEDED;
            case FAILED, OUTPUT_ABSENT -> Event.Outcome.FAILED;
            case NOT_RUNNABLE -> Event.Outcome.NOT_RUNNABLE;
            case TIME_LIMIT -> Event.Outcome.TIME_LIMIT;
            case OUT_OF_MEMORY -> Event.Outcome.OUT_OF_MEMORY;
            case CUT_OFF -> Event.Outcome.CUT_OFF;
            case PREEMPTED -> Event.Outcome.PREEMPTED;
            case KILLED -> Event.Outcome.STOPPED;
        };
    }

    /** The same result for another attempt id. */
    public Result of(AttemptId attempt) {
        return attempt.equals(said.attempt())
                ? this
                : new Result(
                        token,
                        node,
                        new Message.Ended(
                                attempt,
                                said.outcome(),
                                said.exitStatus(),
                                said.reason(),
                                said.usage(),
                                said.outputs(),
                                said.lastLines()));
    }

    void write(DataOutput out) throws IOException {
        byte[] frame = Frames.encode(0, List.of(said));
        out.writeLong(token);
        out.writeInt(node);
        out.writeInt(frame.length);
        out.write(frame);
    }

    static Result read(DataInput in) throws IOException {
        long token = in.readLong();
        int node = in.readInt();
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        if (Frames.decodeAll(frame).get(0).message() instanceof Message.Ended ended) {
            return new Result(token, node, ended);
        }
        throw new IOException("a result that is none");
    }
}
