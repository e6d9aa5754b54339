package io.sheaf.sim;

/** The outcome of a job in a replay. */
public enum JobOutcome {
    /** Ended by itself. */
    COMPLETED,
    /** Killed at its walltime. */
    KILLED,
    /** Cancelled while it was queued. */
    CANCELLED,
    /** Not accepted: larger than the cluster, or over a limit. */
    REFUSED,
    /** Accepted, but it could never start. */
    STUCK
}
