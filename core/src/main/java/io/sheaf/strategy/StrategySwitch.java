package io.sheaf.strategy;

import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import java.util.List;

/** A switch to another strategy: cancels the queued jobs of the previous one, so that no work is queued twice. Running jobs continue. */
record StrategySwitch() implements Memo {
    /** The memo of a switch that has to cancel first. */
    static final StrategySwitch NOW = new StrategySwitch();

    @Override
    public String text() {
        return "switching";
    }

    static List<Order> cancellations(View view) {
        return view.jobs().stream()
                .filter(PilotJob::isQueued)
                .<Order>map(p -> new Order.Cancel(p.token()))
                .toList();
    }
}
