package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Moves the foretold quantile of one level to where as many of the latest waits were below it as should be (conformalised quantile regression: Romano, Patterson and Candès, 2019).
 *
 * <p><b>Scores.</b> By how much a wait was above its quantile is counted as a factor, on waits that are taken a minute longer so that short ones count little. The next quantile is moved by
 * the factor that would have been enough for as large a share of the latest ones.
 *
 * <p><b>Those that still wait.</b> The longest waits are known last; who leaves them out learns from the short ones alone. Of a job that still waits it is known that its score will be at least
 * that of its wait so far, and so it counts (the product-limit estimate of Kaplan and Meier, 1958).
 *
 * <p><b>At first</b> little is known: it is as if there had been some scores, of which a cautious one is at the level and the others are far below or above it. So they weigh less and less, and in the end
 * move nothing, however wrong quantiles are.
 */
public final class QuantileCalibration {
    private static final double MINUTE = 60_000;
    private static final int KEPT = 300;

    /** As many scores are thought of at first. */
    private static final int AT_FIRST = 20;

    private final double level;
    private final double atFirst;
    private final ArrayDeque<Double> scores = new ArrayDeque<>();

    /**
     * Nothing is known yet.
     *
     * @param level of the quantile, between 0 and 1
     * @param atFirst the logarithm of the factor that it is moved by at first
     */
    public QuantileCalibration(double level, double atFirst) {
        this.level = level;
        this.atFirst = atFirst;
    }

    /** A wait for which this quantile had been foretold, before it was calibrated. */
    public void learn(long quantile, long waited) {
        scores.addLast(score(quantile, waited));
        if (scores.size() > KEPT) {
            scores.removeFirst();
        }
    }

    /** How far above the quantile a wait was: the logarithm of the factor. */
    public static double score(long quantile, long waited) {
        return StrictMath.log(waited + MINUTE) - StrictMath.log(quantile + MINUTE);
    }

    /**
     * The quantile, calibrated.
     *
     * @param stillWaiting the scores so far of jobs that have not started
     */
    public long of(long quantile, double[] stillWaiting) {
        double moved = learnt(stillWaiting);
        return Math.max(0, Math.round(StrictMath.exp(StrictMath.log(quantile + MINUTE) + moved) - MINUTE));
    }

    /** The score below which as large a share is as the level says. */
    private double learnt(double[] stillWaiting) {
        double[] known = known();
        double[] open = stillWaiting.clone();
        Arrays.sort(open);
        int n = known.length + open.length;
        double above = Math.max(0, 1 - (double) rank(n) / n);
        double surviving = 1;
        double longest = open.length == 0 ? atFirst : Math.max(atFirst, open[open.length - 1]);
        int o = 0;
        for (int k = 0; k < known.length && known[k] < Double.POSITIVE_INFINITY; k++) {
            while (o < open.length && open[o] < known[k]) {
                o++;
            }
            surviving *= 1 - 1.0 / (n - k - o);
            if (surviving <= above + 1e-9) {
                return known[k];
            }
            longest = Math.max(longest, known[k]);
        }
        // Even the longest wait so far is not enough.
        return longest;
    }

    /** Which one of so many scores, from 1 on, is at the level; rather farther out if there are few. */
    private int rank(int n) {
        double rank = level >= 0.5 ? Math.ceil(level * (n + 1)) : Math.floor(level * (n + 1));
        return (int) Math.max(1, Math.min(n, rank));
    }

    /** All scores, with those that are thought of, ascending. */
    private double[] known() {
        double[] known = new double[AT_FIRST + scores.size()];
        int middle = rank(AT_FIRST) - 1;
        for (int i = 0; i < AT_FIRST; i++) {
            known[i] = i == middle ? atFirst : i < middle ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        int i = AT_FIRST;
        for (double score : scores) {
            known[i++] = score;
        }
        Arrays.sort(known);
        return known;
    }
}
