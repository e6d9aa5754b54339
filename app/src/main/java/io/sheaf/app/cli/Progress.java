package io.sheaf.app.cli;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** A progress line on the terminal; prints nothing without a terminal. */
public final class Progress implements AutoCloseable {
    /** No progress is shown before this time. */
    private static final long SILENT_NANOS = 1_000_000_000L;

    private static final long BETWEEN_NANOS = 200_000_000L;
    private static final int PERCENT = 100;

    private final PrintWriter err;
    private final boolean shown;
    private final String label;
    private final LongSupplier nanos;
    private long next;
    private boolean dirty;

    public Progress(Session session, String label) {
        this(session.err(), session.terminal(), label, System::nanoTime);
    }

    public Progress(PrintWriter err, boolean shown, String label, LongSupplier nanos) {
        this.err = err;
        this.shown = shown;
        this.label = label;
        this.nanos = nanos;
        this.next = nanos.getAsLong() + SILENT_NANOS;
    }

    public void at(long done, long all) {
        long now = nanos.getAsLong();
        if (!shown || now - next < 0) {
            return;
        }
        next = now + BETWEEN_NANOS;
        dirty = true;
        err.print("\r" + label + ": " + done * PERCENT / Math.max(1, all) + " % ");
        err.flush();
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (dirty) {
            err.print("\r" + " ".repeat(label.length() + ": 100 % ".length()) + "\r");
            err.flush();
        }
    }
}
