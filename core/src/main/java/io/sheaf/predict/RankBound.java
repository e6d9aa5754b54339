package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Quantiles of waits from the waits of earlier jobs alone, by rank, as in QBETS (Nurmi, Brevik and Wolski, "QBETS: queue bounds estimation from time series", 2007).
 *
 * <p>The bound of a quantile is that wait of the history which is beyond the true quantile with 95 % confidence if waits are independent: above it for quantiles over the median, below it
 * for those under. Jobs are put together by their nodes. When three waits in a row are beyond the bound of the 95 % quantile the queue has changed, and all but the latest waits are forgotten.
 */
public final class RankBound {
    private static final double CONFIDENCE_DEVIATIONS = 1.645;
    private static final int KEPT = 1_000;
    /** The fewest waits that can bound the 95 % quantile with 95 % confidence: 0.95⁵⁹ &lt; 0.05. */
    private static final int LEAST = 59;

    private static final int IN_A_ROW = 3;

    /** Waits in the order in which they came, and the same in ascending order, so that a bound is there at once. */
    private static final class History {
        final ArrayDeque<Long> waits = new ArrayDeque<>();
        long[] sorted = new long[KEPT + 1];
        int beyond;

        void add(long wait) {
            beyond = waits.size() >= LEAST && wait > bound(0.95) ? beyond + 1 : 0;
            insert(wait);
            while (waits.size() > KEPT || (beyond >= IN_A_ROW && waits.size() > LEAST)) {
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

        /** The rank comes from the normal approximation of the binomial distribution. */
        long bound(double level) {
            double n = waits.size();
            double side = Math.signum(level - 0.5);
            double rank = n * level + side * CONFIDENCE_DEVIATIONS * Math.sqrt(n * level * (1 - level));
            return sorted[(int) Math.max(0, Math.min(n - 1, Math.rint(rank)))];
        }
    }

    private final Map<Integer, History> byNodes = new HashMap<>();

    /** A job has started. */
    public void learn(int nodes, long waited) {
        byNodes.computeIfAbsent(kind(nodes), each -> new History()).add(waited);
    }

    /** The bounds of quantiles for a job of so many nodes, in milliseconds; 0 if nothing is known. */
    public long[] quantiles(int nodes, double[] levels) {
        History history = byNodes.get(kind(nodes));
        long[] bounds = new long[levels.length];
        for (int i = 0; history != null && i < levels.length; i++) {
            bounds[i] = history.bound(levels[i]);
        }
        return bounds;
    }

    /** 1, 2, 3 to 4, 5 to 8 and so on. */
    private static int kind(int nodes) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, nodes - 1));
    }
}
