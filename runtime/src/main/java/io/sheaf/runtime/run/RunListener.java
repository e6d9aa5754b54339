package io.sheaf.runtime.run;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.record.Considerations;
import io.sheaf.runtime.record.Result;
import org.jspecify.annotations.Nullable;

/** Watches a run, to show it. Called by the event loop's thread when something is durable; it must not block. Who does not care for something does nothing about it. */
@FunctionalInterface
public interface RunListener {
    /** A process is in charge from now on; the manager knows what was on record. */
    default void begins(Manager manager) {}

    /** Something happened. */
    default void happened(Event event, Manager manager) {}

    /** An attempt of a task was started, as far as the manager is concerned. */
    default void started(long token, int node, int task, int attempt) {}

    /** What an agent said of an attempt that is over. */
    default void ended(Result result) {}

    /** The strategy decided. */
    default void decided(Decision decision, @Nullable Considerations considered, Manager manager) {}

    /** A turn of the loop is over, and everything of it is durable; now and then although nothing happened. */
    default void turned(Manager manager) {}

    /** Something that a person should know. */
    void message(String text);
}
