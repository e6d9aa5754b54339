package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;

/** How far a job is, whatever its batch system calls it. */
public enum JobState {
    PENDING,
    /** It has nodes, and its script does not run yet. */
    STARTING,
    RUNNING,
    /** It is over but for what is left of it. */
    ENDING,
    /** By itself. */
    ENDED,
    /** By its time limit. */
    EXPIRED,
    CANCELLED,
    /** With its node, as far as is known: something of it may go on. */
    LOST,
    /** Nobody knows the job any more. */
    GONE;

    /** Whether the job is over; of one that is GONE nobody has said so. */
    public boolean isFinal() {
        return isSure() || this == LOST;
    }

    /** Whether this proves that nothing of it runs any more. */
    boolean isSure() {
        return this == ENDED || this == EXPIRED || this == CANCELLED;
    }

    /** How a pilot job has ended that nobody wanted to end. */
    Event.End end() {
        return switch (this) {
            case EXPIRED -> Event.End.EXPIRED;
            case CANCELLED -> Event.End.CANCELLED;
            case ENDED -> Event.End.BROKEN;
            default -> Event.End.LOST;
        };
    }
}
