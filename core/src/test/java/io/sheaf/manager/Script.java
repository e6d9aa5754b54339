package io.sheaf.manager;

import io.sheaf.predict.StartEstimator;
import java.util.ArrayList;
import java.util.List;

/** Strategy with scripted orders, one list for each decision. */
final class Script implements Strategy {
    final List<List<Order>> lines = new ArrayList<>();
    int decisions;

    @Override
    public String name() {
        return "script";
    }

    @Override
    public Decision decide(View view, Memo memo, StartEstimator estimator, DecisionSink sink) {
        List<Order> orders = decisions < lines.size() ? lines.get(decisions) : List.of();
        decisions++;
        return new Decision(orders, Decision.NEVER, memo);
    }
}
