package io.sheaf.runtime.recorded;

import java.util.Locale;

/** How a run is, as far as its folder shows. */
public enum RunState {
    /** A pilot job runs. */
    RUNNING,
    /** All pilot jobs are queued, or none is asked for yet. */
    WAITING,
    /** Nothing is submitted until a person says that it shall go on. */
    PAUSED,
    /** There is something left to do, and no process is in charge. */
    INTERRUPTED,
    DONE,
    FAILED,
    CANCELLED;

    /** Whether nothing more will happen. */
    public boolean isOver() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
