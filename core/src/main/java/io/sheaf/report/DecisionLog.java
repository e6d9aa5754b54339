package io.sheaf.report;

import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Order;
import java.util.ArrayList;
import java.util.List;

/** Records the options, choices and orders of a strategy per decision. Omits decisions without any of these. */
public final class DecisionLog implements DecisionSink {
    private final List<Decided> decisions = new ArrayList<>();
    private final List<Decided.Option> options = new ArrayList<>();
    private final List<Decided.Ordered> orders = new ArrayList<>();
    private String chosen = "";
    private long at;

    @Override
    public void asked(long now) {
        finish();
        at = now;
    }

    @Override
    public void option(String what, int nodes, long walltime, long wait, long makespan) {
        options.add(new Decided.Option(what, nodes, walltime, wait, makespan));
    }

    @Override
    public void chosen(String why) {
        chosen = why;
    }

    @Override
    public void ordered(Order order, long token, long expectedStart) {
        orders.add(new Decided.Ordered(order, token, expectedStart));
    }

    private void finish() {
        if (!orders.isEmpty() || !chosen.isEmpty()) {
            decisions.add(new Decided(at, options, chosen, orders));
        }
        options.clear();
        orders.clear();
        chosen = "";
    }

    /** All decisions so far, oldest first. */
    public List<Decided> decisions() {
        finish();
        return List.copyOf(decisions);
    }
}
