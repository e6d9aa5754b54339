package io.sheaf.strategy;

import io.sheaf.manager.Considered;
import io.sheaf.manager.Decision;
import io.sheaf.manager.Memo;
import io.sheaf.manager.Order;
import io.sheaf.manager.Request;
import io.sheaf.manager.Strategy;
import io.sheaf.manager.View;
import io.sheaf.predict.StartEstimator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A strategy that takes part in a {@link Contest}, and how it fares there; it may first cancel what is queued. */
final class Contender implements Strategy {
    private final String name;
    private final Strategy strategy;
    final Memo memo;
    final boolean anew;
    /** Whether it is not played any more. */
    boolean givenUp;

    /** The name of the one who does the same, if it is for that. */
    @Nullable
    String like;

    private final List<Double> lasted = new ArrayList<>();
    private @Nullable Request first;

    /** Under a name that need not be what the one who plays calls itself. */
    Contender(String name, Strategy strategy, Memo memo, boolean anew) {
        this.name = name;
        this.strategy = strategy;
        this.memo = memo;
        this.anew = anew;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Memo memo(String text) {
        return strategy.memo(text);
    }

    /** Once it has cancelled what is queued it is the strategy; the manager asks again when that is gone. */
    @Override
    public Decision decide(View view, Memo remembered, StartEstimator estimator, Considered considered) {
        if (remembered.equals(Switching.NOW)) {
            List<Order> cancellations = Switching.cancellations(view);
            if (!cancellations.isEmpty()) {
                return new Decision(cancellations, Decision.NEVER, memo);
            }
            return decide(view, memo, estimator, considered);
        }
        Decision decision = strategy.decide(view, remembered, estimator, considered);
        if (first == null) {
            for (Order order : decision.orders()) {
                first = first == null && order instanceof Order.Submit submit ? submit.request() : first;
            }
        }
        return decision;
    }

    /** What it asked for first when it was played; null if it has asked for nothing. */
    @Nullable
    Request firstRequest() {
        return first;
    }

    /** One more future was played, in which it took so long. */
    void lasted(double time) {
        lasted.add(time);
    }

    /** How long it took in a future. */
    double lasted(int future) {
        return lasted.get(future);
    }

    /** In how many futures it has ended. */
    int futures() {
        return lasted.size();
    }

    /** Forgets a future, if it has ended in it, and those behind it. */
    void forget(int future) {
        while (lasted.size() > future) {
            lasted.remove(lasted.size() - 1);
        }
    }

    /** Whether it took as long as another one in every future. */
    boolean faredLike(Contender other) {
        return lasted.equals(other.lasted);
    }

    double sum() {
        double sum = 0;
        for (double each : lasted) {
            sum += each;
        }
        return sum;
    }

    double mean() {
        return lasted.isEmpty() ? Double.POSITIVE_INFINITY : sum() / lasted.size();
    }
}
