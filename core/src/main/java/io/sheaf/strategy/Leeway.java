package io.sheaf.strategy;

/**
 * Leeway: extra walltime of a job that may start before its predecessor ends.
 *
 * <h2>Idea</h2>
 * A job with queue wait w starts delay − w before its predecessor's end and keeps its nodes idle until then. Without extra walltime its tasks would
 * not complete. The naive leeway is the whole gap, delay − w. A longer request may wait longer, so a smaller leeway is often enough.
 *
 * <h2>Sources</h2>
 * The texts and the authors' program differ. Both methods follow the program, which produced the published figures.
 * <table>
 *   <caption>Where each rule comes from</caption>
 *   <tr><th>rule</th><th>thesis 5.3</th><th>authors' program, and this class</th></tr>
 *   <tr><td>accepted start</td><td>up to ten minutes <em>after</em> the predecessor's end</td>
 *       <td>up to ten minutes <em>before</em> it ({@link #bySearch})</td></tr>
 *   <tr><td>original search</td><td>adds half of the naive leeway, computed again each time: the leeway only increases</td>
 *       <td>starts with the naive leeway and halves it: the leeway only decreases ({@link #byHalving})</td></tr>
 *   <tr><td>binary search</td><td>the smallest leeway in [0, naive] with an accepted start (Enhancement 3); chapter 6 has [0, delay]</td>
 *       <td>any leeway in [0, naive] with an accepted start; below an interval of ten minutes, its upper end without another estimate</td></tr>
 * </table>
 *
 * <p>The loop of Zhang et al. (Fig. 5, lines 11–16) reads an uninitialised leeway and need not end. The thesis (5.1) repairs it.
 *
 * <p>All times are in milliseconds.
 */
final class Leeway {
    static final long TEN_MINUTES = 600_000;
    private static final long SECOND = 1_000;

    private Leeway() {}

    /** Binary search on [0, delay − wait] for a start within the ten minutes before the predecessor's end (authors' program). */
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

    /** Halves the naive leeway while half of it still makes the job start after its predecessor's end (authors' program). */
    static long byHalving(Queue queue, int nodes, long run, long wait, long delay) {
        long leeway = Math.max(0, delay - wait);
        while (leeway > TEN_MINUTES && queue.waitFor(nodes, run + leeway / 2) > delay) {
            leeway /= 2;
        }
        return leeway;
    }
}
