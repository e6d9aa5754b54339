package io.sheaf.runtime.record;

import io.sheaf.manager.Considered;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a strategy looked at for one decision, and what it chose. */
public record Considerations(long at, List<Option> options, String chosen) {
    /**
     * Something that might have been done; times in milliseconds from the decision on.
     *
     * @param makespan until the workflow would end; −1 where the strategy does not estimate it
     */
    public record Option(String what, int nodes, long walltime, long queueWait, long makespan) {}

    public Considerations {
        options = List.copyOf(options);
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(at);
        out.writeUTF(chosen);
        out.writeInt(options.size());
        for (Option option : options) {
            out.writeUTF(option.what);
            out.writeInt(option.nodes);
            out.writeLong(option.walltime);
            out.writeLong(option.queueWait);
            out.writeLong(option.makespan);
        }
    }

    static Considerations read(DataInput in) throws IOException {
        long at = in.readLong();
        String chosen = in.readUTF();
        int count = in.readInt();
        List<Option> options = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            options.add(new Option(in.readUTF(), in.readInt(), in.readLong(), in.readLong(), in.readLong()));
        }
        return new Considerations(at, options, chosen);
    }

    /** Takes note for one decision at a time. */
    public static final class Notes implements Considered {
        private final List<Option> options = new ArrayList<>();
        private String chosen = "";
        private long at;

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void asked(long now) {
            options.clear();
            chosen = "";
            at = now;
        }

        @Override
        public void option(String what, int nodes, long walltime, long queueWait, long makespan) {
            options.add(new Option(what, nodes, walltime, queueWait, makespan));
        }

        @Override
        public void chosen(String why) {
            chosen = why;
        }

        /** Whether anything was looked at for the last decision. */
        public boolean isEmpty() {
            return options.isEmpty() && chosen.isEmpty();
        }

        public Considerations taken() {
            return new Considerations(at, options, chosen);
        }
    }
}
