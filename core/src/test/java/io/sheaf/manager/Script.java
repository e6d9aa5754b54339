package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import java.util.ArrayList;
import java.util.List;

/** Orders told in advance, one list for each time that the strategy is asked. */
final class Script implements Strategy {
    final List<List<Order>> lines = new ArrayList<>();
    int asked;

    @Override
    public String name() {
        return "script";
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink considered) {
        List<Order> orders = asked < lines.size() ? lines.get(asked) : List.of();
        asked++;
        return new Decision(orders, Decision.NEVER, memo);
    }
}
