package io.sheaf.runtime.cluster;

/**
 * The clock of a run: milliseconds since 1970 that never go back.
 *
 * <p>It is set by the wall clock once, when a process takes charge, and not below the last instant on record; from then on it follows the
 * monotonic clock. So a wall clock that jumps ends no walltime too early and makes nothing wait for ever.
 */
@FunctionalInterface
public interface RunClock {
    long millis();

    /** A clock that is set by a wall clock, not below an instant that was seen before, and follows a count of milliseconds. */
    static RunClock of(long notBelow, long wall, RunClock since) {
        long start = Math.max(notBelow, wall);
        return () -> start + since.millis();
    }

    /** The clock of this process, not below an instant that was seen before. */
    static RunClock system(long notBelow) {
        long from = System.nanoTime();
        return of(notBelow, System.currentTimeMillis(), () -> (System.nanoTime() - from) / 1_000_000);
    }
}
