package io.sheaf.report;

import io.sheaf.manager.Event;

/**
 * The record of a pilot job; instants in milliseconds, {@link #NEVER} if there was none.
 *
 * @param claim a description of the tasks that it may run; empty if not recorded
 * @param expectedStart the estimated start at its submission
 */
public record Job(
        long token,
        int nodes,
        long walltime,
        long submitted,
        long started,
        long ended,
        End how,
        String claim,
        long expectedStart) {
    public static final long NEVER = -1;

    /** How a pilot job ended. */
    public enum End {
        /** It had no work left. */
        RELEASED("done"),
        EXPIRED("expired"),
        CANCELLED("cancelled"),
        BROKEN("broken"),
        LOST("lost"),
        REFUSED("refused"),
        /** It has not ended yet. */
        OPEN("open");

        private final String word;

        End(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        static End of(Event.End how) {
            return switch (how) {
                case RELEASED -> RELEASED;
                case EXPIRED -> EXPIRED;
                case CANCELLED -> CANCELLED;
                case BROKEN -> BROKEN;
                case LOST -> LOST;
            };
        }
    }

    public boolean hasStarted() {
        return started != NEVER;
    }

    public boolean hasEnded() {
        return ended != NEVER;
    }

    /** Whether a start estimate was recorded. */
    public boolean wasExpected() {
        return expectedStart != NEVER;
    }

    Job startedAt(long at) {
        return new Job(token, nodes, walltime, submitted, at, ended, how, claim, expectedStart);
    }

    Job endedAt(long at, End end) {
        return new Job(token, nodes, walltime, submitted, started, at, end, claim, expectedStart);
    }

    Job shortenedTo(long time) {
        return new Job(token, nodes, time, submitted, started, ended, how, claim, expectedStart);
    }

    /** The same record with its claim and its estimated start. */
    public Job foreseen(String tasks, long start) {
        return new Job(token, nodes, walltime, submitted, started, ended, how, tasks, start);
    }
}
