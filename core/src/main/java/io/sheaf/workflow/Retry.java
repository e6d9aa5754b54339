package io.sheaf.workflow;

/**
 * The failures after which a task is retried, and the larger request of the next attempt. The number of retries is separate.
 *
 * @param memoryPercent the factor of the memory request after each out-of-memory kill, in per cent; 0: that of the run
 * @param timePercent the factor of the time limit from one attempt to the next, in per cent; 100: the limit does not change
 * @param onFailure whether to retry after another exit status, a signal or a missing output
 * @param onMemory whether the memory request may grow after an out-of-memory kill
 * @param onLimit whether to retry after the time limit
 */
public record Retry(int memoryPercent, int timePercent, boolean onFailure, boolean onMemory, boolean onLimit) {
    /** After failures, and after out-of-memory kills as the run has it. */
    public static final Retry DEFAULT = new Retry(0, 100, true, true, false);

    private static final int FIELDS = 5;
    private static final long LONGEST = 1L << 53;

    public Retry {
        if ((memoryPercent != 0 && memoryPercent < 100) || timePercent < 100) {
            throw new IllegalArgumentException("factors of " + memoryPercent + " and " + timePercent + " per cent");
        }
    }

    /** The time limit of an attempt, in the unit of the first one's; attempts count from 1. */
    public long limit(long first, int attempt) {
        double grown = (double) first * StrictMath.pow(timePercent / 100.0, attempt - 1);
        return first <= 0 ? first : grown >= LONGEST ? LONGEST : (long) grown;
    }

    /** One word, from which {@link #parse} makes the same. */
    public String text() {
        return memoryPercent + ":" + timePercent + ":" + onFailure + ":" + onMemory + ":" + onLimit;
    }

    /** Parses {@link #text}; the default if it is not one. */
    public static Retry parse(String text) {
        String[] f = text.split(":", -1);
        try {
            return f.length != FIELDS
                    ? DEFAULT
                    : new Retry(
                            Integer.parseInt(f[0]),
                            Integer.parseInt(f[1]),
                            Boolean.parseBoolean(f[2]),
                            Boolean.parseBoolean(f[3]),
                            Boolean.parseBoolean(f[4]));
        } catch (IllegalArgumentException e) {
            return DEFAULT;
        }
    }
}
