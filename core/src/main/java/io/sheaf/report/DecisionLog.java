package io.sheaf.report;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import java.util.ArrayList;
import java.util.List;

/** Records the options, choices and orders of a strategy per decision. Omits decisions without any of these. */
public final class DecisionLog implements DecisionSink {
    private final List<DecisionRecord> decisions = new ArrayList<>();
    private final List<DecisionRecord.Option> options = new ArrayList<>();
    private final List<DecisionRecord.Ordered> orders = new ArrayList<>();
    private String chosen = "";
    private long at;

    @Override
    public void begin(long now) {
        finish();
        at = now;
    }

    @Override
    public void option(String label, int nodes, long walltime, long wait, long makespan) {
        options.add(new DecisionRecord.Option(label, nodes, walltime, wait, makespan));
    }

    @Override
    public void chosen(String reason) {
        chosen = reason;
    }

    @Override
    public void ordered(Order order, long token, long expectedStart) {
        orders.add(new DecisionRecord.Ordered(order, token, expectedStart));
    }

    private void finish() {
        if (!orders.isEmpty() || !chosen.isEmpty()) {
            decisions.add(new DecisionRecord(at, options, chosen, orders));
        }
        options.clear();
        orders.clear();
        chosen = "";
    }

    /** All decisions so far, oldest first. */
    public List<DecisionRecord> decisions() {
        finish();
        return List.copyOf(decisions);
    }
}
