package io.sheaf.strategy;

/** Estimates the queue waits of jobs submitted now. */
@FunctionalInterface
public interface StartDelays {
    /** The delay of a job that would never start. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Sets {@code delay[i]}, for each i below count, to the milliseconds from now until a job of {@code nodes[i]} nodes for
     * {@code walltime[i]} milliseconds would start if it were the only one submitted; {@link #NEVER} if it would not.
     */
    void starts(int[] nodes, long[] walltime, int count, long[] delay);
}
