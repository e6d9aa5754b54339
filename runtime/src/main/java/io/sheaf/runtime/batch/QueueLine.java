package io.sheaf.runtime.batch;

/**
 * A job of the user in the queue.
 *
 * @param start its actual or planned start, in milliseconds; −1 if unknown
 * @param outlook whether it can start if it is queued
 * @param reason why it is queued, as reported by the batch system
 */
public record QueueLine(long job, JobState state, long start, Outlook outlook, String reason) {
    /** Whether a queued job can start. */
    public enum Outlook {
        /** It starts in its turn. */
        STARTS,
        /** It starts after a user releases it. */
        HELD,
        /** It never starts. */
        NEVER
    }

    boolean isPending() {
        return state == JobState.PENDING;
    }
}
