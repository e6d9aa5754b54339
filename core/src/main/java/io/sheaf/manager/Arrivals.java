package io.sheaf.manager;

/** Tasks that come one soon after the other, and are planned together: until when the strategy is not asked what to submit for them. Nodes that are there take each at once. */
final class Arrivals {
    /** A task that comes so soon after another belongs to it. */
    private static final long SOON = 2_000;

    /** So long after the first the strategy is asked in any case. */
    private static final long LONGEST = 6_000;

    /** When the first came of which the strategy does not know yet; −1 if there are none. */
    private long since = -1;

    private long until;

    void came(long now) {
        since = since < 0 ? now : since;
        until = Math.min(since + LONGEST, now + SOON);
    }

    /** The strategy is told of all. */
    void told() {
        since = -1;
    }

    /** Before this instant more are likely to belong to them. */
    long quietUntil() {
        return since < 0 ? Long.MIN_VALUE : until;
    }

    void describe(StringBuilder text) {
        text.append(" awaited ").append(since).append(' ').append(until).append(' ');
    }
}
