package io.sheaf.strategy;

import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import java.util.ArrayList;
import java.util.List;

/** A switch to another strategy: cancels the queued jobs of the previous one, so that no work is queued twice. Running jobs continue. */
record StrategySwitch() implements Memo {
    /** The memo of a switch that has to cancel first. */
    static final StrategySwitch NOW = new StrategySwitch();

    @Override
    public String text() {
        return "switching";
    }

    static boolean hasQueued(View view) {
        return !cancellations(view).isEmpty();
    }

    static List<Order> cancellations(View view) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < view.pilotJobs(); i++) {
            PilotJob p = view.pilotJob(i);
            if (p.isQueued()) {
                orders.add(new Order.Cancel(p.token()));
            }
        }
        return orders;
    }
}
