package io.sheaf.runtime.run;

import io.sheaf.manager.Decision;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import io.sheaf.runtime.record.AttemptResult;
import io.sheaf.runtime.record.Considerations;
import org.jspecify.annotations.Nullable;

/**
 * A listener to the progress of a run. The event loop's thread calls it after the change is durable; methods must
 * not block.
 */
@FunctionalInterface
public interface RunListener {
    /** A process has taken the lease; the manager has the recorded state. */
    default void begins(Manager manager) {}

    /** An event was applied. */
    default void happened(Event event, Manager manager) {}

    /** The manager started an attempt of a task. */
    default void started(long token, int node, int task, int attempt) {}

    /** The result of an attempt that has ended. */
    default void ended(AttemptResult result) {}

    /** The strategy made a decision. */
    default void decided(Decision decision, @Nullable Considerations considered, Manager manager) {}

    /** A turn of the loop has ended, and all its changes are durable. Also called periodically without changes. */
    default void turned(Manager manager) {}

    /** A message for the user. */
    void message(String text);
}
