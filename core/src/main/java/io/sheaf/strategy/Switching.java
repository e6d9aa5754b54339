package io.sheaf.strategy;

import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.View;
import java.util.ArrayList;
import java.util.List;

/** Going over to another strategy: what the one before has in the queue is cancelled, so that nothing waits for the same work twice; what runs goes on. */
record Switching() implements Memo {
    /** In place of a memo: cancel first. */
    static final Switching NOW = new Switching();

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
