package io.sheaf.manager;

import io.sheaf.predict.WaitObservation;
import java.util.List;

/**
 * The result of a strategy's decision.
 *
 * @param orders the orders to carry out, in this order; the manager drops one that has become impossible
 * @param wakeAt when to call the strategy again without an event; {@link #NEVER} if not
 * @param memo the strategy's new memo
 * @param observations actual and expected waits of jobs, for learning; not part of the journal
 */
public record Decision(List<Order> orders, long wakeAt, Memo memo, List<WaitObservation> observations) {
    public static final long NEVER = Long.MAX_VALUE;

    public Decision {
        orders = List.copyOf(orders);
        observations = List.copyOf(observations);
    }

    /** A decision without lessons. */
    public Decision(List<Order> orders, long wakeAt, Memo memo) {
        this(orders, wakeAt, memo, List.of());
    }

    public static Decision nothing(Memo memo) {
        return new Decision(List.of(), NEVER, memo);
    }

    public static Decision of(Memo memo, Order... orders) {
        return new Decision(List.of(orders), NEVER, memo);
    }

    /** The same with lessons. */
    public Decision learning(List<WaitObservation> learnt) {
        return new Decision(orders, wakeAt, memo, learnt);
    }
}
