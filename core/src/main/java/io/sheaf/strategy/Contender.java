package io.sheaf.strategy;

import io.sheaf.manager.Decision;
import io.sheaf.manager.DecisionSink;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.PilotJob;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.List;

/**
 * A strategy that takes part in a {@link Contest}.
 *
 * @param name under which it is shown; the simulated strategy may be a cheaper variant of another name
 * @param memo with which it begins
 * @param cancelsFirst whether it first cancels all queued jobs
 */
record Contender(String name, Strategy strategy, Memo memo, boolean cancelsFirst) implements Strategy {
    /** The memo of a switch that has to cancel first. */
    private record Switching() implements Memo {
        @Override
        public String text() {
            return "switching";
        }
    }

    /** The memo with which its simulation begins. */
    Memo begin() {
        return cancelsFirst ? new Switching() : memo;
    }

    @Override
    public Memo memo(String text) {
        return strategy.memo(text);
    }

    /** Cancels queued jobs first if {@code cancelsFirst}; the manager calls it again when they are cancelled. */
    @Override
    public Decision decide(View view, Memo remembered, StartEstimator estimator, DecisionSink sink) {
        if (!(remembered instanceof Switching)) {
            return strategy.decide(view, remembered, estimator, sink);
        }
        List<Order> cancellations = cancellations(view);
        return cancellations.isEmpty()
                ? strategy.decide(view, memo, estimator, sink)
                : new Decision(cancellations, Decision.NEVER, memo);
    }

    /** Cancels the queued jobs of the previous strategy, so that no work is queued twice. Running jobs continue. */
    static List<Order> cancellations(View view) {
        return view.jobs().stream()
                .filter(PilotJob::isQueued)
                .<Order>map(p -> new Order.Cancel(p.token()))
                .toList();
    }
}
