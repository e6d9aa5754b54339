package io.sheaf.lab.report;

import io.sheaf.random.RandomStream;
import java.util.Arrays;

/** Figures of a sample: mean, quantiles, and an interval for the mean by the bootstrap. */
final class Samples {
    private static final int RESAMPLES = 1000;
    private static final double OUTSIDE = 0.025;

    /** Between which two values the mean lies, with 95 %. */
    record Interval(double low, double high) {}

    private Samples() {}

    /** NaN of nothing. */
    static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return values.length == 0 ? Double.NaN : sum / values.length;
    }

    /**
     * The percentile interval of the mean: of a thousand samples drawn from this one with replacement, the middle 95 % of their means.
     *
     * @param purpose names the random numbers, so that a figure does not depend on which others are asked for
     */
    static Interval bootstrap(double[] values, String purpose) {
        if (values.length == 0) {
            return new Interval(Double.NaN, Double.NaN);
        }
        RandomStream stream = new RandomStream(1).split("bootstrap").split(purpose);
        double[] means = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double sum = 0;
            for (int k = 0; k < values.length; k++) {
                sum += values[stream.nextInt(values.length)];
            }
            means[i] = sum / values.length;
        }
        Arrays.sort(means);
        return new Interval(quantile(means, OUTSIDE), quantile(means, 1 - OUTSIDE));
    }

    /** Between the values of a sorted sample, linearly. */
    static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(sorted.length - 1, below + 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
