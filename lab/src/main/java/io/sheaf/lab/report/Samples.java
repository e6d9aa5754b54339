package io.sheaf.lab.report;

import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Statistics of a sample: mean, quantiles, and a bootstrap interval of the mean. */
public final class Samples {
    private static final int RESAMPLES = 1000;
    private static final double OUTSIDE = 0.025;
    private static final int MIN_BLOCKS = 4;

    /** A 95 % interval of a mean. */
    public record Interval(double low, double high) {}

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
     * The percentile interval of the mean, where values of one block depend on each other: of a thousand samples of as many blocks, drawn with replacement, the middle 95 % of
     * their means. With fewer than {@value #MIN_BLOCKS} blocks values are drawn instead of blocks.
     *
     * @param blocks the block of each value
     * @param purpose the key of the random numbers, so that intervals do not depend on each other
     */
    public static Interval bootstrap(double[] values, List<String> blocks, String purpose) {
        Map<String, Integer> numbers = new HashMap<>();
        int[] block = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            block[i] = numbers.computeIfAbsent(blocks.get(i), name -> numbers.size());
        }
        if (numbers.size() < MIN_BLOCKS) {
            return bootstrap(values, purpose);
        }
        double[] sums = new double[numbers.size()];
        int[] sizes = new int[sums.length];
        for (int i = 0; i < values.length; i++) {
            sums[block[i]] += values[i];
            sizes[block[i]]++;
        }
        return interval(sums, sizes, new RandomStream(1).split("blocks").split(purpose));
    }

    /** The same for values that do not depend on each other. */
    public static Interval bootstrap(double[] values, String purpose) {
        int[] sizes = new int[values.length];
        Arrays.fill(sizes, 1);
        return values.length == 0
                ? new Interval(Double.NaN, Double.NaN)
                : interval(values, sizes, new RandomStream(1).split("bootstrap").split(purpose));
    }

    private static Interval interval(double[] sums, int[] sizes, RandomStream stream) {
        double[] means = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double sum = 0;
            int size = 0;
            for (int k = 0; k < sums.length; k++) {
                int drawn = stream.nextInt(sums.length);
                sum += sums[drawn];
                size += sizes[drawn];
            }
            means[i] = sum / size;
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
