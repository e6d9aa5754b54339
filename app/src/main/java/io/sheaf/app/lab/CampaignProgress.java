package io.sheaf.app.lab;

import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** A progress bar of a campaign with rate and remaining time; prints nothing without a terminal. */
public final class CampaignProgress implements AutoCloseable {
    private static final long SILENT_NANOS = 1_000_000_000L;
    private static final long BETWEEN_NANOS = 500_000_000L;
    private static final int WIDTH = 24;
    private static final double SECOND = 1e9;

    private final PrintWriter err;
    private final boolean shown;
    private final LongSupplier nanos;
    private final long before;
    private final long begun;
    private long next;
    private int longest;

    /**
     * Creates a bar that is not shown yet.
     *
     * @param before the number of runs completed earlier, which do not count for the rate
     */
    public CampaignProgress(PrintWriter err, boolean shown, long before, LongSupplier nanos) {
        this.err = err;
        this.shown = shown;
        this.before = before;
        this.nanos = nanos;
        begun = nanos.getAsLong();
        next = begun + SILENT_NANOS;
    }

    public void at(long done, long all) {
        long now = nanos.getAsLong();
        if (!shown || now - next < 0) {
            return;
        }
        next = now + BETWEEN_NANOS;
        double rate = (done - before) / ((now - begun) / SECOND);
        int filled = (int) (WIDTH * done / Math.max(1, all));
        String line = "[" + "#".repeat(filled) + " ".repeat(WIDTH - filled) + "] " + Rounded.count(done) + " of "
                + Rounded.count(all) + " runs, " + DecimalText.fixed(rate, rate < 10 ? 1 : 0) + " a second, "
                + (rate > 0 ? Rounded.time((long) ((all - done) / rate * 1000)) : "some time") + " left";
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
