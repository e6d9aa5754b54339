package io.sheaf.manager;

/**
 * The maximum relative error of expected run times, in per cent of the shorter of expected and actual time.
 *
 * <p>The measure is symmetric: 4 minutes instead of 5 counts as much as 5 instead of 4, namely 25 %.
 */
final class RunTimeError {
    /** Tasks with a shorter expected time, in milliseconds, are ignored. */
    private static final long TELLING = 60_000;

    /** The maximum error, in per cent. */
    private static final int MAX = 100;

    private static final int ALL = 100;

    private int percent;

    int percent() {
        return percent;
    }

    /** Records the run time of a task, in milliseconds. */
    void add(long expected, long millis) {
        long shorter = Math.min(expected, millis);
        if (expected >= TELLING && shorter > 0) {
            percent = (int) Math.max(percent, Math.min(MAX, Math.abs(millis - expected) * ALL / shorter));
        }
    }

    /** The expected time plus the error, in milliseconds. */
    long allowing(long expected) {
        return expected + expected * percent / ALL;
    }

    void restore(int value) {
        percent = value;
    }
}
