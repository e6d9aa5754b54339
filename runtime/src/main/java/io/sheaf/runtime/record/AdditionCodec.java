package io.sheaf.runtime.record;

import io.sheaf.formats.Formats;
import io.sheaf.formats.Source;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** Additions as bytes: where they come from, the new tasks as WfFormat, and the edges from tasks that were there. */
final class AdditionCodec {
    private static final String FORMAT = "wfformat";

    private AdditionCodec() {}

    static void write(Addition added, DataOutput out) throws IOException {
        Origin origin = added.origin();
        out.writeUTF(origin.id());
        out.writeUTF(origin.owner());
        out.writeInt(origin.priority());
        out.writeUTF(origin.folder());
        write(added.tasks(), out);
        out.writeInt(added.edges());
        for (int i = 0; i < added.edges(); i++) {
            out.writeInt(added.parent(i));
            out.writeInt(added.child(i));
        }
    }

    static Addition read(DataInput in) throws IOException {
        Origin origin = new Origin(in.readUTF(), in.readUTF(), in.readInt(), in.readUTF());
        Addition added = Addition.of(origin, readWorkflow(in));
        int edges = in.readInt();
        for (int i = 0; i < edges; i++) {
            added = added.after(in.readInt(), in.readInt());
        }
        return added;
    }

    private static void write(Workflow workflow, DataOutput out) throws IOException {
        StringWriter text = new StringWriter();
        Formats.writer(FORMAT).write(workflow, text);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        out.writeBoolean(workflow.fileEdges());
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static Workflow readWorkflow(DataInput in) throws IOException {
        boolean fileEdges = in.readBoolean();
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return Formats.reader(FORMAT).read(Source.of("journal", bytes), fileEdges);
    }
}
