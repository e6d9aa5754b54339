package io.sheaf.runtime.run;

import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import java.io.IOException;
import java.util.function.BiConsumer;

/** The control requests of users to an active run. */
@FunctionalInterface
public interface ControlRequests {
    /** No requests. */
    ControlRequests NONE = (now, manager, forest, to) -> {};

    /**
     * Reports each control request as an event, with an action to run once the event is durable.
     *
     * <p>A request may be reported again until that action has run. Implementations check whether it was applied
     * before.
     */
    void poll(long now, Manager manager, Forest forest, BiConsumer<Event, Runnable> to) throws IOException;

    /** Whether no reported request may be reported again. */
    default boolean areSettled() {
        return true;
    }
}
