package io.sheaf.runtime.record;

import io.sheaf.formats.Source;
import io.sheaf.formats.registry.Formats;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;

/** Encodes workflows as WfFormat bytes, with their sources, and additions with the edges from existing tasks. */
public final class WorkflowCodec {
    private static final String FORMAT = "wfformat";

    private WorkflowCodec() {}

    static void write(Addition added, DataOutput out) throws IOException {
        write(added.origin(), out);
        write(added.tasks(), out);
        out.writeInt(added.edges());
        for (int i = 0; i < added.edges(); i++) {
            out.writeInt(added.parent(i));
            out.writeInt(added.child(i));
        }
    }

    static Addition readAddition(DataInput in) throws IOException {
        Addition added = Addition.of(readOrigin(in), read(in));
        int edges = in.readInt();
        for (int i = 0; i < edges; i++) {
            added = added.after(in.readInt(), in.readInt());
        }
        return added;
    }

    public static void write(Origin origin, DataOutput out) throws IOException {
        out.writeUTF(origin.id());
        out.writeUTF(origin.owner());
        out.writeInt(origin.priority());
        out.writeUTF(origin.folder());
    }

    public static Origin readOrigin(DataInput in) throws IOException {
        return new Origin(in.readUTF(), in.readUTF(), in.readInt(), in.readUTF());
    }

    public static void write(Workflow workflow, DataOutput out) throws IOException {
        StringWriter text = new StringWriter();
        Formats.writer(FORMAT).write(workflow, text);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        out.writeBoolean(workflow.fileEdges());
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    public static Workflow read(DataInput in) throws IOException {
        boolean fileEdges = in.readBoolean();
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return Formats.reader(FORMAT).read(Source.of("journal", bytes), fileEdges);
    }
}
