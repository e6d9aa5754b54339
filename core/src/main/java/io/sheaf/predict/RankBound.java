package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Rank-based quantile bounds from the waits of earlier jobs, as in QBETS (Nurmi, Brevik and Wolski, "QBETS: queue bounds estimation from time
 * series", 2007).
 *
 * <p>The bound of a quantile is the wait of the history that lies beyond the true quantile with 95 % confidence if waits are independent: above it
 * for quantiles over the median, below it for those under. Jobs are grouped by nodes. Three consecutive waits beyond the bound of the 95 % quantile
 * indicate a change of the queue: only the latest waits are kept.
 */
public final class RankBound {
    private static final double CONFIDENCE_DEVIATIONS = 1.645;
    private static final int KEPT = 1_000;
    /** The minimum number of waits that can bound the 95 % quantile with 95 % confidence: 0.95⁵⁹ &lt; 0.05. */
    private static final int MIN = 59;

    private static final int IN_A_ROW = 3;

    /** Waits in order of arrival and in ascending order. */
    private static final class WaitHistory {
        final ArrayDeque<Long> waits = new ArrayDeque<>();
        long[] sorted = new long[KEPT + 1];
        int beyond;

        void add(long wait) {
            beyond = waits.size() >= MIN && wait > bound(0.95) ? beyond + 1 : 0;
            insert(wait);
            while (waits.size() > KEPT || (beyond >= IN_A_ROW && waits.size() > MIN)) {
                remove(waits.getFirst());
            }
            beyond = beyond >= IN_A_ROW ? 0 : beyond;
        }

        private void insert(long wait) {
            int at = Arrays.binarySearch(sorted, 0, waits.size(), wait);
            int place = at < 0 ? -1 - at : at;
            System.arraycopy(sorted, place, sorted, place + 1, waits.size() - place);
            sorted[place] = wait;
            waits.addLast(wait);
        }

        private void remove(long wait) {
            int place = Arrays.binarySearch(sorted, 0, waits.size(), wait);
            System.arraycopy(sorted, place + 1, sorted, place, waits.size() - place - 1);
            waits.removeFirst();
        }

        /** Computes the rank with the normal approximation of the binomial distribution. */
        long bound(double level) {
            double n = waits.size();
            double side = Math.signum(level - 0.5);
            double rank = n * level + side * CONFIDENCE_DEVIATIONS * Math.sqrt(n * level * (1 - level));
            return sorted[(int) Math.max(0, Math.min(n - 1, Math.rint(rank)))];
        }
    }

    private final Map<Integer, WaitHistory> byNodes = new HashMap<>();

    /** Records the wait of a job that has started. */
    public void learn(int nodes, long waited) {
        byNodes.computeIfAbsent(kind(nodes), each -> new WaitHistory()).add(waited);
    }

    /** The quantile bounds for a job of this many nodes, in milliseconds; 0 without observations. */
    public long[] quantiles(int nodes, double[] levels) {
        WaitHistory history = byNodes.get(kind(nodes));
        long[] bounds = new long[levels.length];
        for (int i = 0; history != null && i < levels.length; i++) {
            bounds[i] = history.bound(levels[i]);
        }
        return bounds;
    }

    /** The class of a node count: 1, 2, 3 to 4, 5 to 8 and so on. */
    private static int kind(int nodes) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, nodes - 1));
    }
}
