package io.sheaf.runtime.cluster;

/**
 * The clock of a run: milliseconds since 1970 that never decrease.
 *
 * <p>A process sets it by the wall clock when it takes the lease, at least to the last recorded instant. Then it
 * follows the monotonic clock. So jumps of the wall clock neither end walltimes early nor delay events.
 */
@FunctionalInterface
public interface RunClock {
    long millis();

    /** A clock that starts at the wall clock, at least at a known last instant, and follows a count of milliseconds. */
    static RunClock of(long notBelow, long wall, RunClock since) {
        long start = Math.max(notBelow, wall);
        return () -> start + since.millis();
    }

    /** The clock of this process, at least at a known last instant. */
    static RunClock system(long notBelow) {
        long from = System.nanoTime();
        return of(notBelow, System.currentTimeMillis(), () -> (System.nanoTime() - from) / 1_000_000);
    }
}
