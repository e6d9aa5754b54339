package io.sheaf.sim;

import io.sheaf.manager.Event;
import io.sheaf.random.RandomStream;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Delivers events late, twice and out of order, as configured by {@link Faults}. */
final class DelayedEvents {
    /** One of this number of late events is lost; polling reports it, later by this factor. */
    private static final int LOST = 10;

    private record Letter(long due, long sent, Event event) {}

    private final Faults faults;
    private final RandomStream random;
    private final PriorityQueue<Letter> underWay =
            new PriorityQueue<>(Comparator.comparingLong(Letter::due).thenComparingLong(Letter::sent));
    private long sent;

    DelayedEvents(Faults faults) {
        this.faults = faults;
        random = new RandomStream(faults.seed()).split("reports");
    }

    void send(long now, Event event) {
        int copies = random.chance(faults.twice()) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            underWay.add(new Letter(now + delay(), sent++, event));
        }
    }

    private long delay() {
        if (!random.chance(faults.late())) {
            return 0;
        }
        long delay = 1 + random.nextLong(Math.max(1, faults.delay()));
        return random.nextInt(LOST) == 0 ? LOST * delay : delay;
    }

    /** The instant of the next event; {@link Long#MAX_VALUE} if there is none. */
    long next() {
        Letter first = underWay.peek();
        return first == null ? Long.MAX_VALUE : first.due;
    }

    /** The next event that is due, or null. */
    @Nullable
    Event receive(long now) {
        Letter first = underWay.peek();
        if (first == null || first.due > now) {
            return null;
        }
        underWay.remove();
        return first.event;
    }
}
