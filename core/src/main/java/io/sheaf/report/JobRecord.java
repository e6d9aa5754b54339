package io.sheaf.report;

import io.sheaf.manager.Event;

/**
 * The record of a pilot job; instants in milliseconds, {@link #NEVER} if there was none.
 *
 * @param claim a description of the tasks that it may run; empty if not recorded
 * @param expectedStart the estimated start at its submission
 * @param pool the name of its node pool; empty if it has none
 */
public record JobRecord(
        long token,
        int nodes,
        long walltime,
        long submitted,
        long started,
        long ended,
        End end,
        String claim,
        long expectedStart,
        String pool) {
    public static final long NEVER = -1;

    /** The maximum time before the end of a walltime at which agents stop their tasks, in milliseconds. */
    private static final long EARLY = 5_000;

    /** How a pilot job ended. */
    public enum End {
        /** It had no work left. */
        RELEASED("done"),
        EXPIRED("expired"),
        CANCELLED("cancelled"),
        BROKEN("broken"),
        LOST("lost"),
        /** The batch system took its nodes for another job. */
        PREEMPTED("preempted"),
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

        /**
         * The end that a batch system reported, corrected by what its tasks show.
         *
         * @param cutOff whether its walltime stopped a task: the manager then releases what is left of it
         */
        public static End of(Event.End end, boolean cutOff) {
            return switch (end) {
                case RELEASED -> cutOff ? EXPIRED : RELEASED;
                case EXPIRED -> EXPIRED;
                case CANCELLED -> CANCELLED;
                case BROKEN -> BROKEN;
                case LOST -> LOST;
                case PREEMPTED -> PREEMPTED;
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

    /**
     * Whether an attempt that ended like this was stopped by the walltime of its pilot job, and not by the loss of a node.
     *
     * @param limit the end of the walltime
     */
    public static boolean isCutOff(Event.Outcome outcome, long at, long limit) {
        return outcome == Event.Outcome.CUT_OFF && at >= limit - EARLY;
    }

    JobRecord startedAt(long at) {
        return new JobRecord(token, nodes, walltime, submitted, at, ended, end, claim, expectedStart, pool);
    }

    JobRecord endedAt(long at, End end) {
        return new JobRecord(token, nodes, walltime, submitted, started, at, end, claim, expectedStart, pool);
    }

    /** The same record of a job with fewer nodes, or less time. */
    JobRecord granted(int units, long time) {
        return new JobRecord(token, units, time, submitted, started, ended, end, claim, expectedStart, pool);
    }

    /** The same record with its claim and its estimated start. */
    public JobRecord estimated(String tasks, long start) {
        return new JobRecord(token, nodes, walltime, submitted, started, ended, end, tasks, start, pool);
    }
}
