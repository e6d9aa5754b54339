package io.sheaf.manager;

import org.jspecify.annotations.Nullable;

/**
 * Counts consecutive failures of pilot jobs: determines when the strategy decides again, and when the run pauses for the user.
 *
 * <p>A failure is a pilot job that is refused, or ends before any of its nodes came up. The manager doubles its delay after each failure and pauses
 * the run after too many in a row.
 */
final class SubmissionFailures {
    private static final int MAX_REFUSALS = 10;
    private static final int MAX_SILENT = 3;
    private static final long FIRST_WAIT = 10_000;
    private static final long LONGEST_WAIT = 600_000;

    private int refusals;
    private int unconnected;
    private boolean delayDue;
    private boolean lostTogether;
    private long quietUntil = Long.MIN_VALUE;
    private @Nullable String paused;

    Checkpoint.Trouble checkpoint() {
        return new Checkpoint.Trouble(refusals, unconnected, delayDue, lostTogether, quietUntil, paused);
    }

    void restore(Checkpoint.Trouble saved) {
        refusals = saved.refusals();
        unconnected = saved.silent();
        delayDue = saved.delayDue();
        lostTogether = saved.lostTogether();
        quietUntil = saved.quietUntil();
        paused = saved.paused();
    }

    void refused(String reason) {
        refused(++refusals, reason);
    }

    /** Counts a pilot job that was accepted and then refused. The next acceptance does not reset the count; a node that comes up does. */
    void refusedLater(String reason) {
        refused(++unconnected, reason);
    }

    private void refused(int inARow, String reason) {
        if (inARow >= MAX_REFUSALS) {
            paused = inARow + " submissions in a row were refused, the last one because: " + reason;
        }
        delayDue = true;
    }

    /** Counts a pilot job that ended, or was given up, before any of its nodes came up. */
    void neverConnected(String event) {
        unconnected++;
        if (unconnected >= MAX_SILENT) {
            paused = unconnected + " pilot jobs in a row ended before an agent connected; the last one " + event;
        }
        delayDue = true;
    }

    /** Counts a pilot job whose nodes were all lost before they connected. Nodes lost together count once, because they have one cause. */
    void lost() {
        if (!lostTogether) {
            neverConnected("lost its nodes");
        }
        lostTogether = true;
    }

    /** Starts the delay now, because the report may be older than the delay. */
    void settle(long now) {
        lostTogether = false;
        if (delayDue) {
            int doublings = Math.max(0, Math.min(10, refusals + unconnected - 1));
            quietUntil = Math.max(quietUntil, now + Math.min(LONGEST_WAIT, FIRST_WAIT << doublings));
            delayDue = false;
        }
    }

    void accepted() {
        refusals = 0;
    }

    void nodeUp() {
        refusals = 0;
        unconnected = 0;
    }

    void resumed() {
        refusals = 0;
        unconnected = 0;
        delayDue = false;
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
}
