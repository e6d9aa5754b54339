package io.sheaf.strategy;

import io.sheaf.manager.Order;
import java.util.ArrayList;
import java.util.List;

/**
 * A plan, its simulated result and cost, and the orders that lead to it from the present jobs.
 *
 * @param cost in milliseconds, see {@link PlanCost}
 */
record ScoredPlan(Plan plan, Rollout.Result result, double cost, List<Order> orders) {
    long end() {
        return result.end();
    }

    /** The same plan, reached from another by one more order. */
    ScoredPlan reached(ScoredPlan before, Order order) {
        List<Order> all = new ArrayList<>(before.orders);
        all.add(order);
        return new ScoredPlan(plan, result, cost, List.copyOf(all));
    }
}
