package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Moves the foretold quantile of one level to where as many of the latest waits were below it as should be (after conformalised quantile regression: Romano, Patterson and Candès, 2019).
 *
 * <p><b>Scores.</b> By how much a wait was above its quantile is counted as a factor, on waits that are taken a minute longer so that short ones count little. The next quantile is moved by
 * the factor that would have been enough for as large a share of the latest ones.
 *
 * <p><b>Those that still wait.</b> The longest waits are known last; who leaves them out learns from the short ones alone. Of a job that still waits it is known that its score will be at least
 * that of its wait so far, and so it counts (the product-limit estimate of Kaplan and Meier, 1958).
 *
 * <p><b>Doubt.</b> Scores are not independent: in one burst of jobs all are foretold too little alike, and a hundred of them say hardly more than one. So there are always some more scores, which no
 * job has had, spread as they would be if quantiles were right where they were foretold. They hold the factor back while only a few bursts are known, and yield to what is seen again and again.
 *
 * <p><b>At first</b> nothing is known, and too narrow is worse than too wide: those scores lie about a cautious factor, which fades with what is learnt.
 */
public final class QuantileCalibration {
    private static final int KEPT = 300;

    /** So many scores stand for the doubt. */
    private static final int DOUBTS = 100;

    /** How far they are spread, as the scale of a logistic distribution: scores of logs have a deviation of 0.6 to 0.9. */
    private static final double SPREAD = 0.4;

    /** After so many waits half of the caution is gone. */
    private static final double CAUTION = 20;

    private final double level;
    private final double atFirst;
    private final double minute;
    private final ArrayDeque<Double> scores = new ArrayDeque<>();

    /**
     * Nothing is known yet.
     *
     * @param level of the quantile, between 0 and 1
     * @param atFirst the logarithm of the factor that it is moved by at first
     * @param minute what waits are taken longer by, in milliseconds
     */
    public QuantileCalibration(double level, double atFirst, long minute) {
        this.level = level;
        this.atFirst = atFirst;
        this.minute = minute;
    }

    /** A wait for which this quantile had been foretold, before it was calibrated. */
    public void learn(long quantile, long waited) {
        scores.addLast(score(quantile, waited));
        if (scores.size() > KEPT) {
            scores.removeFirst();
        }
    }

    /** How far above the quantile a wait was: the logarithm of the factor. */
    public double score(long quantile, long waited) {
        return StrictMath.log(waited + minute) - StrictMath.log(quantile + minute);
    }

    /**
     * The quantile, calibrated.
     *
     * @param stillWaiting the scores so far of jobs that have not started
     */
    public long of(long quantile, double[] stillWaiting) {
        double moved = learnt(stillWaiting);
        return Math.max(0, Math.round(StrictMath.exp(StrictMath.log(quantile + minute) + moved) - minute));
    }

    /** The score below which as large a share is as the level says. */
    private double learnt(double[] stillWaiting) {
        double[] known = known();
        double[] open = stillWaiting.clone();
        Arrays.sort(open);
        int n = known.length + open.length;
        double surviving = 1;
        int o = 0;
        for (int k = 0; k < known.length; k++) {
            while (o < open.length && open[o] < known[k]) {
                o++;
            }
            surviving *= 1 - 1.0 / (n - k - o);
            if (surviving <= 1 - level + 1e-9) {
                return known[k];
            }
        }
        // Even the longest wait so far is not enough.
        return Math.max(known[known.length - 1], open[open.length - 1]);
    }

    /** All scores, with those of the doubt, ascending. */
    private double[] known() {
        double[] known = new double[DOUBTS + scores.size()];
        double caution = atFirst * CAUTION / (CAUTION + scores.size());
        for (int i = 0; i < DOUBTS; i++) {
            known[i] = caution + SPREAD * (logit(Math.min((i + 1.0) / DOUBTS, 1 - 0.5 / DOUBTS)) - logit(level));
        }
        int i = DOUBTS;
        for (double score : scores) {
            known[i++] = score;
        }
        Arrays.sort(known);
        return known;
    }

    private static double logit(double share) {
        return StrictMath.log(share / (1 - share));
    }
}
