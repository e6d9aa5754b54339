package io.sheaf.sim;

/** The quantiles that forecasts tell: those of the 90 % interval, of the 50 % interval, and the median. */
public final class Quantiles {
    /** Ascending, with the median in the middle. */
    public static final double[] LEVELS = {0.05, 0.25, 0.5, 0.75, 0.95};

    private Quantiles() {}

    /** Those of a sorted sample, between its values linearly. */
    public static long[] of(long[] sorted) {
        long[] quantiles = new long[LEVELS.length];
        for (int i = 0; i < LEVELS.length; i++) {
            quantiles[i] = at(sorted, LEVELS[i]);
        }
        return quantiles;
    }

    static long at(long[] sorted, double level) {
        double at = level * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(sorted.length - 1, below + 1);
        return Math.round(sorted[below] + (at - below) * (sorted[above] - sorted[below]));
    }

    /** The mean over the levels of the pinball loss: level × what is missing, or (1 − level) × what is too much. */
    public static double pinball(long[] quantiles, long real) {
        double sum = 0;
        for (int i = 0; i < LEVELS.length; i++) {
            double missing = real - quantiles[i];
            sum += missing >= 0 ? LEVELS[i] * missing : (LEVELS[i] - 1) * missing;
        }
        return sum / LEVELS.length;
    }
}
