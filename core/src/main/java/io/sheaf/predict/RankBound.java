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

    private static final class History {
        final ArrayDeque<Long> waits = new ArrayDeque<>();
        int beyond;

        void add(long wait) {
            beyond = waits.size() >= LEAST && wait > quantile(sorted(), 0.95) ? beyond + 1 : 0;
            waits.addLast(wait);
            while (waits.size() > KEPT || (beyond >= IN_A_ROW && waits.size() > LEAST)) {
                waits.removeFirst();
            }
            beyond = beyond >= IN_A_ROW ? 0 : beyond;
        }

        long[] sorted() {
            long[] all = waits.stream().mapToLong(Long::longValue).toArray();
            Arrays.sort(all);
            return all;
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
        long[] sorted = history == null ? new long[0] : history.sorted();
        long[] bounds = new long[levels.length];
        for (int i = 0; i < levels.length; i++) {
            bounds[i] = quantile(sorted, levels[i]);
        }
        return bounds;
    }

    /** The rank comes from the normal approximation of the binomial distribution. */
    private static long quantile(long[] sorted, double level) {
        if (sorted.length == 0) {
            return 0;
        }
        double n = sorted.length;
        double side = Math.signum(level - 0.5);
        double rank = n * level + side * CONFIDENCE_DEVIATIONS * Math.sqrt(n * level * (1 - level));
        return sorted[(int) Math.max(0, Math.min(n - 1, Math.rint(rank)))];
    }

    /** 1, 2, 3 to 4, 5 to 8 and so on. */
    private static int kind(int nodes) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, nodes - 1));
    }
}
