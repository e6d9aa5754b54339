package io.sheaf.manager;

import java.util.List;

/**
 * What a strategy decided.
 *
 * @param orders what to do now, in this order; one that has become impossible is dropped
 * @param wakeAt when to ask again although nothing happened; {@link #NEVER} if not
 * @param memo what to remember
 */
public record Decision(List<Order> orders, long wakeAt, Memo memo) {
    public static final long NEVER = Long.MAX_VALUE;

    public Decision {
        orders = List.copyOf(orders);
    }

    public static Decision nothing(Memo memo) {
        return new Decision(List.of(), NEVER, memo);
    }

    public static Decision of(Memo memo, Order... orders) {
        return new Decision(List.of(orders), NEVER, memo);
    }
}
