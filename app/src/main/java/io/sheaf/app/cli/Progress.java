package io.sheaf.app.cli;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** A progress line on the terminal; prints nothing without a terminal. */
public final class Progress implements AutoCloseable {
    /** No progress is shown before this time. */
    private static final long SILENT_NANOS = 1_000_000_000L;

    private static final long BETWEEN_NANOS = 200_000_000L;
    private static final int PERCENT = 100;

    /** The text of a progress line. */
    @FunctionalInterface
    public interface ProgressText {
        String of(long done, long all, double seconds);
    }

    private final PrintWriter err;
    private final boolean shown;
    private final ProgressText text;
    private final LongSupplier nanos;
    private final long begun;
    private long next;
    private int longest;

    /** A line with a percentage. */
    public Progress(Session session, String label) {
        this(session, percentage(label));
    }

    public Progress(Session session, ProgressText text) {
        this(session.err(), session.terminal(), text, System::nanoTime);
    }

    public Progress(PrintWriter err, boolean shown, ProgressText text, LongSupplier nanos) {
        this.err = err;
        this.shown = shown;
        this.text = text;
        this.nanos = nanos;
        begun = nanos.getAsLong();
        next = begun + SILENT_NANOS;
    }

    static ProgressText percentage(String label) {
        return (done, all, seconds) -> label + ": " + done * PERCENT / Math.max(1, all) + " % ";
    }

    public void at(long done, long all) {
        long now = nanos.getAsLong();
        if (!shown || now - next < 0) {
            return;
        }
        next = now + BETWEEN_NANOS;
        String line = text.of(done, all, (now - begun) * 1e-9);
        err.print("\r" + line + " ".repeat(Math.max(0, longest - line.length())));
        err.flush();
        longest = Math.max(longest, line.length());
    }

    /** Clears the line. */
    @Override
    public void close() {
        if (longest > 0) {
            err.print("\r" + " ".repeat(longest) + "\r");
            err.flush();
        }
    }
}
