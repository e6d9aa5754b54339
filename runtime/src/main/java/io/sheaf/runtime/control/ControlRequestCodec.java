package io.sheaf.runtime.control;

import io.sheaf.runtime.record.WorkflowCodec;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The binary encoding of control requests. */
final class ControlRequestCodec {
    private static final int VERSION = 1;
    private static final String SUBMIT = "submit";
    private static final String HOLD = "hold";
    private static final String DROP = "drop";
    private static final String DRAIN = "drain";

    private ControlRequestCodec() {}

    static byte[] bytes(ControlRequest request) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        if (request instanceof ControlRequest.Submit submit) {
            out.writeUTF(SUBMIT);
            WorkflowCodec.write(submit.origin(), out);
            WorkflowCodec.write(submit.tasks(), out);
            out.writeInt(submit.after().size());
            for (ControlRequest.Edge edge : submit.after()) {
                out.writeUTF(edge.parent());
                out.writeInt(edge.child());
            }
        } else if (request instanceof ControlRequest.Hold hold) {
            out.writeUTF(HOLD);
            out.writeUTF(hold.id());
            out.writeBoolean(hold.held());
        } else if (request instanceof ControlRequest.Drop drop) {
            out.writeUTF(DROP);
            out.writeUTF(drop.id());
        } else {
            out.writeUTF(DRAIN);
        }
        return bytes.toByteArray();
    }

    static ControlRequest read(byte[] bytes) throws IOException {
        if (SingleTask.isText(bytes)) {
            return SingleTask.read(bytes).request();
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("it is of version " + version + ", this Sheaf reads " + VERSION);
        }
        String kind = in.readUTF();
        return switch (kind) {
            case SUBMIT -> submit(in);
            case HOLD -> new ControlRequest.Hold(in.readUTF(), in.readBoolean());
            case DROP -> new ControlRequest.Drop(in.readUTF());
            case DRAIN -> new ControlRequest.Drain();
            default -> throw new IOException("unknown kind of request '" + kind + "'");
        };
    }

    private static ControlRequest submit(DataInputStream in) throws IOException {
        Origin origin = WorkflowCodec.readOrigin(in);
        Workflow tasks = WorkflowCodec.read(in);
        int edges = in.readInt();
        List<ControlRequest.Edge> after = new ArrayList<>();
        for (int i = 0; i < edges; i++) {
            after.add(new ControlRequest.Edge(in.readUTF(), in.readInt()));
        }
        return new ControlRequest.Submit(origin, tasks, after);
    }
}
