package io.sheaf.strategy;

/**
 * A job that could be submitted: nodes × run time.
 *
 * @param nodes the number of nodes
 * @param run the run time expected on them, in milliseconds
 * @param startDelay the delay expected until it starts, in milliseconds, or {@link StartDelays#NEVER}
 */
public record Allocation(int nodes, long run, long startDelay) {
    /** Its end if it cannot start computing before a delay; from now, in milliseconds. */
    public long end(long delay) {
        return end(delay, startDelay, run);
    }

    static long end(long delay, long wait, long run) {
        return wait == StartDelays.NEVER ? StartDelays.NEVER : Math.max(delay, wait) + run;
    }
}
