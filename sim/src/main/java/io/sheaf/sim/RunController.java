package io.sheaf.sim;

import io.sheaf.manager.Effects;
import io.sheaf.manager.Event;
import io.sheaf.manager.Manager;
import org.jspecify.annotations.Nullable;

/** Receives the events of a simulated batch system and commands it: a manager, or a test double. */
interface RunController {
    void on(Event event, Effects out);

    /** The end of an instant. */
    void settle(long at, Effects out);

    boolean isFinished();

    /** The reason for a pause; null if it is not paused. */
    @Nullable
    String paused();

    /** Delegates to a manager. */
    static RunController by(Manager manager) {
        return new RunController() {
            @Override
            public void on(Event event, Effects out) {
                manager.on(event, out);
            }

            @Override
            public void settle(long at, Effects out) {
                manager.settle(at, out);
            }

            @Override
            public boolean isFinished() {
                return manager.isFinished();
            }

            @Override
            public @Nullable String paused() {
                return manager.paused();
            }
        };
    }
}
