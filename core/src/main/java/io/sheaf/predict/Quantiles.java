package io.sheaf.predict;

import java.util.Arrays;

/** Quantiles of a wait: the 90 % interval, the 50 % interval and the median; in milliseconds. */
public record Quantiles(long low90, long low50, long median, long high50, long high90) {
    private static final double[] LEVELS = {0.05, 0.25, 0.5, 0.75, 0.95};

    /** Their levels, ascending. */
    public static double[] levels() {
        return LEVELS.clone();
    }

    /** From values at the {@link #levels}. */
    public static Quantiles at(long[] values) {
        return new Quantiles(values[0], values[1], values[2], values[3], values[4]);
    }

    /** The same value at every level, for an estimate without uncertainty. */
    public static Quantiles always(long value) {
        return new Quantiles(value, value, value, value, value);
    }

    /** The quantiles of a sorted sample, linearly interpolated. */
    public static Quantiles of(long[] sorted) {
        long[] values = new long[LEVELS.length];
        for (int i = 0; i < LEVELS.length; i++) {
            double at = LEVELS[i] * (sorted.length - 1);
            int below = (int) at;
            int above = Math.min(sorted.length - 1, below + 1);
            values[i] = Math.round(sorted[below] + (at - below) * (sorted[above] - sorted[below]));
        }
        return at(values);
    }

    /** The quantiles of the waits from an instant until the sorted starts. */
    public static Quantiles ofWaits(long[] sortedStarts, long now) {
        long[] waits = new long[sortedStarts.length];
        Arrays.setAll(waits, i -> Math.max(0, sortedStarts[i] - now));
        return of(waits);
    }

    /** The same, none below a wait. */
    public Quantiles atLeast(long wait) {
        return at(Arrays.stream(values()).map(each -> Math.max(each, wait)).toArray());
    }

    /** All of them, ascending. */
    public long[] values() {
        return new long[] {low90, low50, median, high50, high90};
    }

    public boolean holds90(long wait) {
        return low90 <= wait && wait <= high90;
    }

    public boolean holds50(long wait) {
        return low50 <= wait && wait <= high50;
    }

    /** The mean pinball loss over the levels: level × shortfall, or (1 − level) × excess. */
    public double pinball(long real) {
        double sum = 0;
        long[] values = values();
        for (int i = 0; i < LEVELS.length; i++) {
            double missing = real - values[i];
            sum += missing >= 0 ? LEVELS[i] * missing : (LEVELS[i] - 1) * missing;
        }
        return sum / LEVELS.length;
    }
}
