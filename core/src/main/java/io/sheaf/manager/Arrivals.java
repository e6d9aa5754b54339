package io.sheaf.manager;

/** Groups tasks that arrive shortly after each other, so that the strategy plans them together. Free nodes run each task at once. */
final class Arrivals {
    /** Maximum gap between two tasks of a group, in milliseconds. */
    private static final long SOON = 1_000;

    /** Maximum delay of the strategy after the first task of a group, in milliseconds. */
    private static final long LONGEST = 4_000;

    /** Arrival of the first task that the strategy has not seen; −1 if there is none. */
    private long first = -1;

    private long until;

    void add(long now) {
        first = first < 0 ? now : first;
        until = Math.min(first + LONGEST, now + SOON);
    }

    /** The strategy has seen all tasks. */
    void planned() {
        first = -1;
    }

    /** The instant until which the strategy is not called. */
    long quietUntil() {
        return first < 0 ? Long.MIN_VALUE : until;
    }
}
