package io.sheaf.manager;

/** Groups tasks that arrive shortly after each other, so that the strategy plans them together. Free nodes run each task at once. */
final class Arrivals {
    /** Maximum gap between two tasks of a group, in milliseconds. */
    private static final long SOON = 1_000;

    /** Maximum delay of the strategy after the first task of a group, in milliseconds. */
    private static final long LONGEST = 4_000;

    /** Arrival of the first task that the strategy has not seen; −1 if there is none. */
    private long since = -1;

    private long until;

    void came(long now) {
        since = since < 0 ? now : since;
        until = Math.min(since + LONGEST, now + SOON);
    }

    /** The strategy has seen all tasks. */
    void planned() {
        since = -1;
    }

    /** The instant until which the strategy is not called. */
    long quietUntil() {
        return since < 0 ? Long.MIN_VALUE : until;
    }

    void describe(StringBuilder text) {
        text.append(" awaited ").append(since).append(' ').append(until).append(' ');
    }
}
