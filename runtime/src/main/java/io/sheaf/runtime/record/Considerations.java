package io.sheaf.runtime.record;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import io.sheaf.report.DecisionRecord;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The options that a strategy considered for one decision, its choice, and the orders that were carried out.
 *
 * @param carried the orders that were carried out, in this order; without those that had become impossible
 */
public record Considerations(long at, List<DecisionRecord.Option> options, String chosen, List<CarriedOrder> carried) {
    /**
     * An order that was carried out.
     *
     * @param order its index among the decision's orders
     * @param token the pilot job that it created or refers to
     * @param expectedStart the start-time estimate of a new pilot job; −1 if unknown
     */
    public record CarriedOrder(int order, long token, long expectedStart) {}

    public Considerations {
        options = List.copyOf(options);
        carried = List.copyOf(carried);
    }

    /** Combines these considerations with the orders of the decision, for reports. */
    public DecisionRecord decided(Decision decision) {
        List<DecisionRecord.Ordered> done = carried.stream()
                .map(each ->
                        new DecisionRecord.Ordered(decision.orders().get(each.order), each.token, each.expectedStart))
                .toList();
        return new DecisionRecord(at, options, chosen, done);
    }

    void write(DataOutput out) throws IOException {
        out.writeLong(at);
        out.writeUTF(chosen);
        CheckpointCodec.write(options, out, option -> {
            out.writeUTF(option.label());
            out.writeInt(option.nodes());
            out.writeLong(option.walltime());
            out.writeLong(option.queueWait());
            out.writeLong(option.makespan());
        });
        CheckpointCodec.write(carried, out, each -> {
            out.writeInt(each.order);
            out.writeLong(each.token);
            out.writeLong(each.expectedStart);
        });
    }

    static Considerations read(DataInput in) throws IOException {
        long at = in.readLong();
        String chosen = in.readUTF();
        List<DecisionRecord.Option> options = CheckpointCodec.read(
                in,
                () -> new DecisionRecord.Option(
                        in.readUTF(), in.readInt(), in.readLong(), in.readLong(), in.readLong()));
        List<CarriedOrder> carried =
                CheckpointCodec.read(in, () -> new CarriedOrder(in.readInt(), in.readLong(), in.readLong()));
        return new Considerations(at, options, chosen, carried);
    }

    /** Collects the considerations of one decision at a time. */
    public static final class Notes implements DecisionSink {
        private final List<DecisionRecord.Option> options = new ArrayList<>();
        private final List<DecisionRecord.Ordered> ordered = new ArrayList<>();
        private String chosen = "";
        private long at;

        @Override
        public void begin(long now) {
            options.clear();
            ordered.clear();
            chosen = "";
            at = now;
        }

        @Override
        public void option(String description, int nodes, long walltime, long queueWait, long makespan) {
            options.add(new DecisionRecord.Option(description, nodes, walltime, queueWait, makespan));
        }

        @Override
        public void chosen(String why) {
            chosen = why;
        }

        @Override
        public void ordered(Order order, long token, long expectedStart) {
            ordered.add(new DecisionRecord.Ordered(order, token, expectedStart));
        }

        /** Whether nothing was considered or carried out for the last decision. */
        public boolean isEmpty() {
            return options.isEmpty() && chosen.isEmpty() && ordered.isEmpty();
        }

        /** Returns the considerations of this decision, which must be the last one. */
        @SuppressWarnings("ReferenceEquality") // Equal orders of one decision are distinct.
        public Considerations considerations(Decision decision) {
            List<CarriedOrder> carried = new ArrayList<>();
            int number = 0;
            for (DecisionRecord.Ordered each : ordered) {
                while (decision.orders().get(number) != each.order()) {
                    number++;
                }
                carried.add(new CarriedOrder(number++, each.token(), each.expectedStart()));
            }
            return new Considerations(at, options, chosen, carried);
        }
    }
}
