package io.sheaf.strategy;

/**
 * How much extra time to ask for so that a job which starts before its predecessor's end still completes.
 *
 * <p>A job whose wait w is shorter than the delay until its predecessor's end holds its nodes idle for delay − w. Asking for that much more
 * changes the wait in turn, so the right amount must be searched.
 */
final class Leeway {
    static final long TEN_MINUTES = 600_000;
    private static final long SECOND = 1_000;

    private Leeway() {}

    /**
     * Binary search (thesis 5.3, Enhancement 3): a leeway with which the job starts within the ten minutes before its predecessor's end.
     * An interval shorter than ten minutes is not searched further; its upper end is on the safe side.
     */
    static long bySearch(Queue queue, int nodes, long run, long wait, long delay) {
        long lower = 0;
        long upper = Math.max(0, delay - wait);
        while (upper - lower >= TEN_MINUTES) {
            long middle = (lower + upper) / 2 / SECOND * SECOND;
            long early = delay - queue.waitFor(nodes, run + middle);
            if (early >= TEN_MINUTES) {
                lower = middle + SECOND;
            } else if (early < 0) {
                upper = middle - SECOND;
            } else {
                return middle;
            }
        }
        return Math.max(0, upper);
    }

    /**
     * Halving (Zhang et al., Fig. 5, lines 11–16, as the thesis repaired the loop): from the whole gap down, as long as half of it would
     * still make the job start behind its predecessor's end.
     */
    static long byHalving(Queue queue, int nodes, long run, long wait, long delay) {
        long leeway = Math.max(0, delay - wait);
        while (leeway > TEN_MINUTES && queue.waitFor(nodes, run + leeway / 2) > delay) {
            leeway /= 2;
        }
        return leeway;
    }
}
