package io.sheaf.manager;

import org.jspecify.annotations.Nullable;

/** Receives the events of a batch system and commands it: a manager, several of them, or a test double. */
public interface RunController {
    void on(Event event, Effects out);

    /** The end of an instant. Returns the decision of the strategy; null if it was not called, or if several were. */
    @Nullable
    Decision settle(long at, Effects out);

    boolean isFinished();

    /** The reason for a pause; null if it is not paused. */
    @Nullable
    String paused();
}
