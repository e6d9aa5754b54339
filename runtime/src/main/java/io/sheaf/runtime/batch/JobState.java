package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;

/** The state of a job, independent of its batch system. */
public enum JobState {
    PENDING,
    /** It has nodes, and its script has not started yet. */
    STARTING,
    RUNNING,
    /** It is ending: its processes are being cleaned up. */
    ENDING,
    /** It ended by itself. */
    ENDED,
    /** It reached its time limit. */
    EXPIRED,
    CANCELLED,
    /** The batch system took its nodes for another job. */
    PREEMPTED,
    /** Its node failed; some of its processes may still run. */
    LOST,
    /** The batch system no longer lists the job. */
    UNLISTED;

    /** Whether the batch system reported the end of the job; false for {@link #UNLISTED}. */
    public boolean isFinal() {
        return isSure() || this == LOST;
    }

    /** Whether this state proves that none of its processes is left. */
    boolean isSure() {
        return this == ENDED || this == EXPIRED || this == CANCELLED || this == PREEMPTED;
    }

    /** The end of a pilot job whose end was not requested. */
    Event.End end() {
        return switch (this) {
            case EXPIRED -> Event.End.EXPIRED;
            case CANCELLED -> Event.End.CANCELLED;
            case PREEMPTED -> Event.End.PREEMPTED;
            case ENDED -> Event.End.BROKEN;
            default -> Event.End.LOST;
        };
    }
}
