package io.sheaf.runtime;

/**
 * The clock of a run: milliseconds since 1970 that never go back.
 *
 * <p>It is set by the wall clock once, when a process takes charge, and not below the last instant on record; from then on it follows the
 * monotonic clock. So a wall clock that jumps ends no walltime too early and makes nothing wait for ever.
 */
@FunctionalInterface
public interface RunClock {
    long millis();

    /** The clock of this process, not below an instant that was seen before. */
    static RunClock system(long notBelow) {
        long start = Math.max(notBelow, System.currentTimeMillis());
        long from = System.nanoTime();
        return () -> start + (System.nanoTime() - from) / 1_000_000;
    }
}
