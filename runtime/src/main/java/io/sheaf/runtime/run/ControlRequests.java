package io.sheaf.runtime.run;

import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import java.io.IOException;
import java.util.function.BiConsumer;

/** What users want of a run while it goes on. */
@FunctionalInterface
public interface ControlRequests {
    /** Nobody wants anything. */
    ControlRequests NONE = (now, manager, forest, to) -> {};

    /**
     * Tells what is wanted, as events, each with what is to be done once it is durable.
     *
     * <p>It is told again until that was done, so whoever tells it looks whether it has been heeded before.
     */
    void look(long now, Manager manager, Forest forest, BiConsumer<Event, Runnable> to) throws IOException;

    /** Whether nothing that was told may be told again. */
    default boolean areSettled() {
        return true;
    }
}
