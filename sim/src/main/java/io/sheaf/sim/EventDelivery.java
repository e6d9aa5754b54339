package io.sheaf.sim;

import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import java.util.ArrayDeque;

/** Delivers the events of a simulated run to its {@link RunController}: once, at the end of a micro-step, or late and repeated if there are {@link Faults}. */
final class EventDelivery {
    private final SimulatedQueue queue;
    private final RunController steering;
    private final Effects effects;
    private final boolean reliable;
    private final DelayedEvents late;
    private final ArrayDeque<Event> due = new ArrayDeque<>();

    EventDelivery(SimulatedQueue queue, RunController steering, Effects effects, Faults faults) {
        this.queue = queue;
        this.steering = steering;
        this.effects = effects;
        reliable = faults.isNone();
        late = new DelayedEvents(faults);
    }

    /** Delivers an event without delay. */
    void report(Event event) {
        steering.on(event, effects);
    }

    void send(Event event) {
        if (reliable) {
            due.add(event);
        } else {
            late.send(queue.now(), event);
        }
    }

    /** Delivers all events that are due, and those that follow from them. */
    void deliver() {
        while (!due.isEmpty()) {
            report(due.remove());
        }
        if (!reliable) {
            for (Event event = late.receive(queue.now()); event != null; event = late.receive(queue.now())) {
                report(event);
            }
        }
    }

    /** Whether no event is due at this instant. */
    boolean isEmpty() {
        return due.isEmpty() && late.next() > queue.now();
    }

    /** The instant of the next late event; {@link Long#MAX_VALUE} if there is none. */
    long next() {
        return late.next();
    }
}
