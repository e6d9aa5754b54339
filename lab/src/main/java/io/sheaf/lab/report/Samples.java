package io.sheaf.lab.report;

import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.List;

/** Statistics of a sample: mean, quantiles, and a bootstrap interval of the mean. */
final class Samples {
    private static final int RESAMPLES = 1000;
    private static final double OUTSIDE = 0.025;

    /** A 95 % interval of a mean. */
    record Interval(double low, double high) {}

    private Samples() {}

    /** The mean; NaN of an empty sample. */
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
     * @param purpose the key of the random numbers, so that intervals do not depend on each other
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

    /** The standard deviation; NaN for fewer than two values. */
    static double deviation(double[] values) {
        double mean = mean(values);
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        return values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1));
    }

    /** A sorted copy. */
    static double[] sorted(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    /** A quantile of a sorted sample, by linear interpolation. */
    static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(sorted.length - 1, below + 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
}
