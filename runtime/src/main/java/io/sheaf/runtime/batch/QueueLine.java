package io.sheaf.runtime.batch;

/**
 * A job of the user as the queue shows it.
 *
 * @param start when it started or is planned to, in milliseconds; −1 if neither is known
 * @param outlook what becomes of it if it waits
 * @param reason why it waits, in the batch system's words
 */
public record QueueLine(long job, JobState state, long start, Outlook outlook, String reason) {
    /** What becomes of a job that waits. */
    public enum Outlook {
        /** It starts when its turn comes. */
        STARTS,
        /** It starts when somebody lets it go. */
        HELD,
        /** It will not start, however long it waits. */
        NEVER
    }

    boolean isPending() {
        return state == JobState.PENDING;
    }
}
