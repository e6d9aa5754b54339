package io.sheaf.manager;

/**
 * The maximum relative error of expected run times, in per cent of the shorter of expected and actual time.
 *
 * <p>A task that takes 4 minutes instead of 5 tells as much as one that takes 5 instead of 4: that others may take a quarter longer.
 */
final class RunTimeError {
    /** Tasks that are expected to take less, in milliseconds, tell nothing. */
    private static final long TELLING = 60_000;

    /** More is allowed for nowhere. */
    private static final int MOST = 100;

    private static final int ALL = 100;

    private int percent;

    int percent() {
        return percent;
    }

    /** A task has taken so long, in milliseconds. */
    void took(long expected, long taken) {
        long shorter = Math.min(expected, taken);
        if (expected >= TELLING && shorter > 0) {
            percent = (int) Math.max(percent, Math.min(MOST, Math.abs(taken - expected) * ALL / shorter));
        }
    }

    /** How long what is expected to take so long may well take. */
    long allowing(long expected) {
        return expected + expected * percent / ALL;
    }

    /** It was so much. */
    void restore(int as) {
        percent = as;
    }
}
