package io.sheaf.predict;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Peak memory of a category as a line over the size of the inputs: a least-squares fit, raised by a quantile of its errors.
 *
 * @param base in bytes, at size 0
 * @param slope bytes of memory per byte of input
 * @param above what {@link MemoryUse#QUANTILE} per cent of the attempts used at most beyond the line, in bytes
 */
record PeaksBySize(double base, double slope, double above) {
    /** Fewer attempts have no line. */
    private static final int MIN_ATTEMPTS = 10;

    /** The line is used if its loss is below this part of the loss of one request for all. */
    private static final double BETTER = 0.8;

    /** The line of some attempts with known sizes; null if one request for all predicts as well. */
    static @Nullable PeaksBySize of(List<TaskRecord> attempts) {
        int count = attempts.size();
        if (count < MIN_ATTEMPTS) {
            return null;
        }
        double[] size = attempts.stream().mapToDouble(TaskRecord::inputBytes).toArray();
        double[] peak = attempts.stream().mapToDouble(TaskRecord::memoryBytes).toArray();
        // Each half is predicted from the other, so that a line through few points is not judged by them.
        double lossOfLine = 0;
        double lossOfOne = 0;
        for (int half = 0; half < 2; half++) {
            PeaksBySize line = fit(part(size, half), part(peak, half));
            PeaksBySize single = constant(part(peak, half));
            for (int i = 1 - half; i < count; i += 2) {
                lossOfLine += loss(peak[i], line.peak(size[i]));
                lossOfOne += loss(peak[i], single.peak(size[i]));
            }
        }
        PeaksBySize line = fit(size, peak);
        return line.slope > 0 && lossOfLine < BETTER * lossOfOne ? line : null;
    }

    /** The peak that tasks with inputs of a size hardly exceed, in bytes. */
    double peak(double inputBytes) {
        return Math.max(1, base + slope * inputBytes + above);
    }

    private static double[] part(double[] all, int first) {
        double[] part = new double[(all.length - first + 1) / 2];
        Arrays.setAll(part, i -> all[first + 2 * i]);
        return part;
    }

    private static PeaksBySize constant(double[] peak) {
        return new PeaksBySize(0, 0, quantile(peak));
    }

    private static PeaksBySize fit(double[] size, double[] peak) {
        double meanSize = Arrays.stream(size).average().orElse(0);
        double meanPeak = Arrays.stream(peak).average().orElse(0);
        double spread = 0;
        double together = 0;
        for (int i = 0; i < size.length; i++) {
            spread += (size[i] - meanSize) * (size[i] - meanSize);
            together += (size[i] - meanSize) * (peak[i] - meanPeak);
        }
        double slope = spread == 0 ? 0 : together / spread;
        double base = meanPeak - slope * meanSize;
        double[] errors = new double[size.length];
        Arrays.setAll(errors, i -> peak[i] - base - slope * size[i]);
        return new PeaksBySize(base, slope, quantile(errors));
    }

    private static double quantile(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(sorted.length * MemoryUse.QUANTILE + 99) / 100 - 1];
    }

    /** The quantile loss: too low a prediction costs 19 times as much as one that is too high by the same amount. */
    private static double loss(double actual, double predicted) {
        double quantile = MemoryUse.QUANTILE / 100.0;
        return actual > predicted ? quantile * (actual - predicted) : (1 - quantile) * (predicted - actual);
    }
}
