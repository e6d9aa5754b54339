package io.sheaf.runtime.record;

import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Frames;
import io.sheaf.agent.protocol.Message;
import io.sheaf.manager.Event;
import io.sheaf.workflow.Resources;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * An agent's report of a finished attempt, with details for reports that the manager does not use.
 *
 * @param cores the chosen cores of a moldable task on each node; 0 for the declared ones
 * @param nodes the chosen number of nodes; 0 for the declared one
 */
public record AttemptResult(long token, int node, Message.Ended message, int cores, int nodes) {
    /** On the declared cores. */
    public AttemptResult(long token, int node, Message.Ended message) {
        this(token, node, message, 0, 0);
    }

    /** The same on the resources that the attempt was allocated. */
    public AttemptResult on(Resources allocated, Resources declared) {
        boolean unchanged = allocated.cores() == declared.cores() && allocated.nodes() == declared.nodes();
        return unchanged ? this : new AttemptResult(token, node, message, allocated.cores(), allocated.nodes());
    }

    public Resources needs(Resources declared) {
        return cores == 0 ? declared : declared.cores(cores).nodes(nodes);
    }

    public Event.Outcome outcome() {
        return switch (message.outcome()) {
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
    public AttemptResult of(AttemptId attempt) {
        return attempt.equals(message.attempt())
                ? this
                : new AttemptResult(
                        token,
                        node,
                        new Message.Ended(
                                attempt,
                                message.outcome(),
                                message.exitStatus(),
                                message.reason(),
                                message.usage(),
                                message.outputs(),
                                message.lastLines()),
                        cores,
                        nodes);
    }

    void write(DataOutput out) throws IOException {
        byte[] frame = Frames.encode(0, List.of(message));
        out.writeLong(token);
        out.writeInt(node);
        out.writeInt(frame.length);
        out.write(frame);
        if (cores > 0) {
            out.writeInt(cores);
            out.writeInt(nodes);
        }
    }

    /** Reads a record of its own; those of earlier releases end before the cores. */
    static AttemptResult read(DataInputStream in) throws IOException {
        long token = in.readLong();
        int node = in.readInt();
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        if (Frames.decodeAll(frame).get(0).message() instanceof Message.Ended ended) {
            boolean chosen = in.available() > 0;
            return new AttemptResult(token, node, ended, chosen ? in.readInt() : 0, chosen ? in.readInt() : 0);
        }
        throw new IOException("an invalid result");
    }
}
