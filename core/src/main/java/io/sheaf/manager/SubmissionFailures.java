package io.sheaf.manager;

import org.jspecify.annotations.Nullable;

/**
 * Counts consecutive failures of pilot jobs: determines when the strategy decides again, and when the run pauses for the user.
 *
 * <p>A failure is a pilot job that is refused, or ends before any of its nodes came up. The manager doubles its delay after each failure and pauses
 * the run after too many in a row.
 */
final class SubmissionFailures {
    private static final int MOST_REFUSALS = 10;
    private static final int MOST_SILENT = 3;
    private static final long FIRST_WAIT = 10_000;
    private static final long LONGEST_WAIT = 600_000;

    private int refusals;
    private int silent;
    private boolean owed;
    private boolean lostTogether;
    private long quietUntil = Long.MIN_VALUE;
    private @Nullable String paused;

    /** Copies the state of another instance. */
    void take(SubmissionFailures others) {
        refusals = others.refusals;
        silent = others.silent;
        owed = others.owed;
        lostTogether = others.lostTogether;
        quietUntil = others.quietUntil;
        paused = others.paused;
    }

    Checkpoint.Trouble checkpoint() {
        return new Checkpoint.Trouble(refusals, silent, owed, lostTogether, quietUntil, paused);
    }

    void restore(Checkpoint.Trouble as) {
        refusals = as.refusals();
        silent = as.silent();
        owed = as.owed();
        lostTogether = as.lostTogether();
        quietUntil = as.quietUntil();
        paused = as.paused();
    }

    void refused(String why) {
        refusals++;
        refused(refusals, why);
    }

    /** Counts a pilot job that was accepted and then refused. The next acceptance does not reset the count; a node that comes up does. */
    void refusedLater(String why) {
        silent++;
        refused(silent, why);
    }

    private void refused(int inARow, String why) {
        if (inARow >= MOST_REFUSALS) {
            paused = inARow + " submissions in a row were refused, the last one because: " + why;
        }
        owed = true;
    }

    /** Counts a pilot job that ended, or was given up, before any of its nodes came up. */
    void silent(String how) {
        silent++;
        if (silent >= MOST_SILENT) {
            paused = silent + " pilot jobs in a row ended before an agent connected; the last one " + how;
        }
        owed = true;
    }

    /** Counts a pilot job whose nodes were all lost before they connected. Nodes lost together count once, because they have one cause. */
    void lost() {
        if (!lostTogether) {
            silent("lost its nodes");
        }
        lostTogether = true;
    }

    /** Starts the delay now, because the report may be older than the delay. */
    void settle(long now) {
        lostTogether = false;
        if (owed) {
            int doublings = Math.max(0, Math.min(10, refusals + silent - 1));
            quietUntil = Math.max(quietUntil, now + Math.min(LONGEST_WAIT, FIRST_WAIT << doublings));
            owed = false;
        }
    }

    void accepted() {
        refusals = 0;
    }

    void nodeUp() {
        refusals = 0;
        silent = 0;
    }

    void resumed() {
        refusals = 0;
        silent = 0;
        owed = false;
        quietUntil = Long.MIN_VALUE;
        paused = null;
    }

    /** The reason for the pause; null if the run is not paused. */
    @Nullable
    String paused() {
        return paused;
    }

    /** The instant until which the strategy is not called. */
    long quietUntil() {
        return quietUntil;
    }

    void describe(StringBuilder text) {
        text.append(" submissionFailures ")
                .append(refusals)
                .append(' ')
                .append(silent)
                .append(' ');
        text.append(owed)
                .append(' ')
                .append(quietUntil)
                .append(' ')
                .append(paused)
                .append('\n');
    }
}
