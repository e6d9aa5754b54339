package io.sheaf.app.web;

/** A rate limit: requests per second on average, with bursts of twice that number. */
final class Rate {
    private final int perSecond;
    private double left;
    private long asked;

    Rate(int perSecond, long nanos) {
        this.perSecond = perSecond;
        left = 2.0 * perSecond;
        asked = nanos;
    }

    /** Whether one more request is allowed at an instant of the monotonic clock. */
    synchronized boolean take(long nanos) {
        left = Math.min(2.0 * perSecond, left + (nanos - asked) * 1e-9 * perSecond);
        asked = nanos;
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }
}
