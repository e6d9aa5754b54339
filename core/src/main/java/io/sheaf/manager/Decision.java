package io.sheaf.manager;

import io.sheaf.predict.Lesson;
import java.util.List;

/**
 * What a strategy decided.
 *
 * @param orders what to do now, in this order; one that has become impossible is dropped
 * @param wakeAt when to ask again although nothing happened; {@link #NEVER} if not
 * @param memo what to remember
 * @param lessons the waits of jobs against those expected, for learning; not part of the journal
 */
public record Decision(List<Order> orders, long wakeAt, Memo memo, List<Lesson> lessons) {
    public static final long NEVER = Long.MAX_VALUE;

    public Decision {
        orders = List.copyOf(orders);
        lessons = List.copyOf(lessons);
    }

    /** Nothing was learnt. */
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
    public Decision learning(List<Lesson> learnt) {
        return new Decision(orders, wakeAt, memo, learnt);
    }
}
