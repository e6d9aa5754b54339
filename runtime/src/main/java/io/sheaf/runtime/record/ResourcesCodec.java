package io.sheaf.runtime.record;

import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Encodes resources as bytes: components in order, then the number of named ones with name and amount. */
public final class ResourcesCodec {
    private ResourcesCodec() {}

    public static void write(Resources all, DataOutput out) throws IOException {
        out.writeInt(all.cores());
        out.writeLong(all.memory());
        out.writeInt(all.gpus());
        out.writeInt(all.nodes());
        out.writeInt(all.share());
        NamedAmounts named = all.named();
        out.writeInt(named.size());
        for (int i = 0; i < named.size(); i++) {
            out.writeUTF(named.name(i));
            out.writeLong(named.amount(i));
        }
    }

    public static Resources read(DataInput in) throws IOException {
        Resources plain = new Resources(in.readInt(), in.readLong(), in.readInt(), in.readInt(), in.readInt());
        Map<String, Long> named = new TreeMap<>();
        int count = in.readInt();
        for (int i = 0; i < count; i++) {
            named.put(in.readUTF(), in.readLong());
        }
        return plain.named(NamedAmounts.of(named));
    }
}
