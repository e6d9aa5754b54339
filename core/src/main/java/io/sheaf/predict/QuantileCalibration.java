package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Calibrates an estimated quantile of one level by recent waits (after conformalised quantile regression: Romano, Patterson and Candès, 2019).
 *
 * <p><b>Scores.</b> The score of a wait is the logarithm of the factor by which it exceeded its quantile. A minute is added to both, so that short
 * waits count little. The calibration applies the score quantile of the same level.
 *
 * <p><b>Queued jobs.</b> Omitting them would bias the result towards short waits. They count as censored observations with their score so far
 * (product-limit estimate of Kaplan and Meier, 1958).
 *
 * <p><b>Prior.</b> Scores within one burst of jobs are correlated. A fixed number of prior scores, distributed as for correct quantiles, limits the
 * factor until several bursts were observed.
 *
 * <p><b>Start.</b> The prior scores are centred on a cautious factor that fades with the number of observations, because too narrow is worse than too
 * wide.
 */
public final class QuantileCalibration {
    private static final int KEPT = 300;

    /** The number of prior scores. */
    private static final int DOUBTS = 100;

    /** The scale of the prior scores' logistic distribution; scores in logs have a deviation of 0.6 to 0.9. */
    private static final double SPREAD = 0.4;

    /** The number of waits after which the initial factor is halved. */
    private static final double CAUTION = 20;

    private final double level;
    private final double atFirst;
    private final double minute;
    private final ArrayDeque<Double> scores = new ArrayDeque<>();

    /**
     * Without observations.
     *
     * @param level of the quantile, between 0 and 1
     * @param atFirst the logarithm of the initial factor
     * @param minute the time added to waits, in milliseconds
     */
    public QuantileCalibration(double level, double atFirst, long minute) {
        this.level = level;
        this.atFirst = atFirst;
        this.minute = minute;
    }

    /** Records a wait and its estimated quantile before calibration. */
    public void learn(long quantile, long waited) {
        scores.addLast(score(quantile, waited));
        if (scores.size() > KEPT) {
            scores.removeFirst();
        }
    }

    /** The logarithm of the factor by which a wait exceeded its quantile. */
    public double score(long quantile, long waited) {
        return StrictMath.log(waited + minute) - StrictMath.log(quantile + minute);
    }

    /**
     * The calibrated quantile.
     *
     * @param stillWaiting the scores so far of queued jobs
     */
    public long of(long quantile, double[] stillWaiting) {
        double moved = learnt(stillWaiting);
        return Math.max(0, Math.round(StrictMath.exp(StrictMath.log(quantile + minute) + moved) - minute));
    }

    /** The score quantile of the level. */
    private double learnt(double[] stillWaiting) {
        double[] known = sortedScores();
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
        // Even the longest wait so far is too short.
        return Math.max(known[known.length - 1], open[open.length - 1]);
    }

    /** Observed and prior scores, ascending. */
    private double[] sortedScores() {
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
