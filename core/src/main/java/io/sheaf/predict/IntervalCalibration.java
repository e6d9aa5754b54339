package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Widens or narrows intervals of waits so that as many of the latest waits were beyond either end as should be (conformalised quantile regression: Romano, Patterson and Candès, 2019).
 *
 * <p>By how much a wait was beyond an end of its interval, or within it, is counted as a factor, on waits that are taken a minute longer so that short ones count little. The next
 * interval is widened at that end by the factor that would have been enough for as large a share of the latest ones.
 */
public final class IntervalCalibration {
    private static final double MINUTE = 60_000;
    private static final int KEPT = 300;
    private static final int LEAST = 20;

    private final double share;
    private final ArrayDeque<Double> tooLow = new ArrayDeque<>();
    private final ArrayDeque<Double> tooHigh = new ArrayDeque<>();

    /** For intervals beyond either end of which this share of the waits should be. */
    public IntervalCalibration(double beyond) {
        share = 1 - beyond;
    }

    /** A wait for which this interval had been foretold, before it was calibrated. */
    public void learn(long low, long high, long waited) {
        keep(tooLow, log(low) - log(waited));
        keep(tooHigh, log(waited) - log(high));
    }

    private static void keep(ArrayDeque<Double> scores, double score) {
        scores.addLast(score);
        if (scores.size() > KEPT) {
            scores.removeFirst();
        }
    }

    /** The lower end of an interval, calibrated. */
    public long low(long low) {
        return Math.max(0, Math.round(StrictMath.exp(log(low) - width(tooLow)) - MINUTE));
    }

    /** The upper end of an interval, calibrated. */
    public long high(long high) {
        return Math.max(0, Math.round(StrictMath.exp(log(high) + width(tooHigh)) - MINUTE));
    }

    private double width(ArrayDeque<Double> scores) {
        if (scores.size() < LEAST) {
            return 0;
        }
        double[] sorted = scores.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(share * (sorted.length + 1));
        return sorted[Math.min(sorted.length, rank) - 1];
    }

    private static double log(long millis) {
        return StrictMath.log(millis + MINUTE);
    }
}
