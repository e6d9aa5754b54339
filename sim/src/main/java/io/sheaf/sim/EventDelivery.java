package io.sheaf.sim;

import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.RunController;
import io.sheaf.random.RandomStream;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Delivers the events of a simulated run to its {@link RunController}: once, at the end of a micro-step, or late, twice and out of order if there are
 * {@link Faults}.
 */
final class EventDelivery {
    /** One of this number of late events is lost; polling reports it, later by this factor. */
    private static final int LOST = 10;

    /** An event that arrives at an instant; of those at the same instant, the first sent comes first. */
    private record Letter(long due, long sent, Event event) {}

    private final SimulatedQueue queue;
    private final RunController steering;
    private final Effects effects;
    private final Faults faults;
    private final boolean reliable;
    private final RandomStream random;
    private final ArrayDeque<Event> due = new ArrayDeque<>();
    /** Empty if there are no faults. */
    private final PriorityQueue<Letter> late =
            new PriorityQueue<>(Comparator.comparingLong(Letter::due).thenComparingLong(Letter::sent));

    private long sent;

    EventDelivery(SimulatedQueue queue, RunController steering, Effects effects, Faults faults) {
        this.queue = queue;
        this.steering = steering;
        this.effects = effects;
        this.faults = faults;
        reliable = faults.isNone();
        random = new RandomStream(faults.seed()).split("reports");
    }

    /** Delivers an event without delay. */
    void report(Event event) {
        steering.on(event, effects);
    }

    void send(Event event) {
        if (reliable) {
            due.add(event);
            return;
        }
        int copies = random.chance(faults.twice()) ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            late.add(new Letter(queue.now() + delay(), sent++, event));
        }
    }

    private long delay() {
        if (!random.chance(faults.late())) {
            return 0;
        }
        long delay = 1 + random.nextLong(Math.max(1, faults.delay()));
        return random.nextInt(LOST) == 0 ? LOST * delay : delay;
    }

    /** Delivers all events that are due, and those that follow from them. */
    void deliver() {
        while (!due.isEmpty()) {
            report(due.remove());
        }
        while (next() <= queue.now()) {
            report(late.remove().event);
        }
    }

    /** Whether no event is due at this instant. */
    boolean isEmpty() {
        return due.isEmpty() && next() > queue.now();
    }

    /** The instant of the next late event; {@link Long#MAX_VALUE} if there is none. */
    long next() {
        Letter first = late.peek();
        return first == null ? Long.MAX_VALUE : first.due;
    }
}
