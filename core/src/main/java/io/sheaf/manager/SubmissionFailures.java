package io.sheaf.manager;

import org.jspecify.annotations.Nullable;

/**
 * Counts consecutive failures of pilot jobs: determines when the strategy decides again, and when the run pauses for the user.
 *
 * <p>A pilot job that is refused, or ends without a node of it ever having come up, would be asked for again at once, and again. So the
 * manager waits, twice as long each time, and pauses when it has happened too often in a row.
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

    /** Becomes as others are. */
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

    /** One that had been accepted is refused after all. That the next one is accepted does not end such a row; that a node comes up does. */
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

    /** A pilot job is over, or given up, and none of its nodes ever came up. */
    void silent(String how) {
        silent++;
        if (silent >= MOST_SILENT) {
            paused = silent + " pilot jobs in a row ended without a node of theirs calling; the last one " + how;
        }
        owed = true;
    }

    /**
     * All nodes of a pilot job were lost before they called. Those that are lost together count once: they have one cause, as the end of
     * the process that was starting their agents.
     */
    void lost() {
        if (!lostTogether) {
            silent("lost its nodes");
        }
        lostTogether = true;
    }

    /** What went wrong is waited upon from now on: a report may be older than the wait it is worth. */
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

    /** Why the run has paused, or null. */
    @Nullable
    String paused() {
        return paused;
    }

    /** Before this instant the strategy is not asked. */
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
