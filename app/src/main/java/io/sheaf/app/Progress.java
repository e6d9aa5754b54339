package io.sheaf.app;

import java.io.PrintWriter;

/** A line on the terminal that tells how far a long piece of work has come; nothing at all where nobody watches. */
final class Progress implements AutoCloseable {
    /** Work that is done sooner needs no progress. */
    private static final long SILENT_NANOS = 1_000_000_000L;

    private static final long BETWEEN_NANOS = 200_000_000L;
    private static final int PERCENT = 100;

    private final PrintWriter err;
    private final boolean shown;
    private final String what;
    private long next;
    private boolean dirty;

    Progress(Session session, String what) {
        this.err = session.err();
        this.shown = session.terminal();
        this.what = what;
        this.next = System.nanoTime() + SILENT_NANOS;
    }

    void at(long done, long all) {
        if (!shown || System.nanoTime() - next < 0) {
            return;
        }
        next = System.nanoTime() + BETWEEN_NANOS;
        dirty = true;
        err.print("\r" + what + ": " + done * PERCENT / Math.max(1, all) + " % ");
        err.flush();
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (dirty) {
            err.print("\r" + " ".repeat(what.length() + ": 100 % ".length()) + "\r");
            err.flush();
        }
    }
}
