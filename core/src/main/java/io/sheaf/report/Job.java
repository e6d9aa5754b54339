package io.sheaf.report;

import io.sheaf.manager.Event;

/**
 * A pilot job as it went; instants in milliseconds, {@link #NEVER} where there was none.
 *
 * @param claim the tasks that it might run, in words; empty where that is not on record
 * @param expectedStart when it was expected to start, at its submission
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
        /** It had nothing left to do. */
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

    /** Whether it was known when it would start. */
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

    /** The same with what it was meant for, and when it was expected to start. */
    public Job foreseen(String tasks, long start) {
        return new Job(token, nodes, walltime, submitted, started, ended, how, tasks, start);
    }
}
