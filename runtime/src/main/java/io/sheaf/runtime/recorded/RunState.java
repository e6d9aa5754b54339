package io.sheaf.runtime.recorded;

import java.util.Locale;

/** The state of a run according to its folder. */
public enum RunState {
    /** At least one pilot job is running. */
    RUNNING,
    /** All pilot jobs are queued, or none is submitted yet. */
    WAITING,
    /** The manager submits nothing until a user resumes the run. */
    PAUSED,
    /** Work remains, and no process holds the lease. */
    INTERRUPTED,
    /** All tasks so far have ended, and more may be submitted; no process holds the lease. */
    IDLE,
    DONE,
    FAILED,
    CANCELLED;

    public boolean isFinished() {
        return this == DONE || this == FAILED || this == CANCELLED;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
