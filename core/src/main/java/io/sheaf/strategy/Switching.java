package io.sheaf.strategy;

import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Placeholder;
import io.sheaf.manager.View;
import java.util.ArrayList;
import java.util.List;

/** Going over to another strategy: what the one before has in the queue is withdrawn, so that nothing waits for the same work twice; what runs goes on. */
record Switching() implements Memo {
    /** In place of a memo: withdraw first. */
    static final Switching NOW = new Switching();

    @Override
    public String text() {
        return "switching";
    }

    static boolean hasQueued(View view) {
        return !withdrawals(view).isEmpty();
    }

    static List<Order> withdrawals(View view) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < view.placeholders(); i++) {
            Placeholder p = view.placeholder(i);
            if (p.isQueued()) {
                orders.add(new Order.Withdraw(p.token()));
            }
        }
        return orders;
    }
}
