package io.sheaf.predict;

/**
 * The probability distribution of a run time of which nothing was measured: a lognormal prior on a grid, cut to the range that is still possible.
 *
 * <p>A task that has run for a time, or was cut off after it, is a censored observation: the run time is greater. A task's limit is an upper bound.
 * Both cut the prior; the remaining probability is scaled to 1. Immutable; times are milliseconds.
 */
public final class RunTimeDistribution {
    /** The median of a run time if nothing at all is known: 15 minutes. */
    public static final long MEDIAN = 900_000;

    /** The standard deviation of its logarithm: about one in six run times is below 100 s, and as many above 2 h 15 min. */
    public static final double SPREAD = 2.2;

    /** The grid: four points to a doubling, from one second to twelve days. */
    private static final int POINTS = 81;

    private static final double SECOND = 1_000;
    private static final long[] GRID = new long[POINTS];

    static {
        for (int i = 0; i < POINTS; i++) {
            GRID[i] = Math.round(SECOND * StrictMath.pow(2, i / 4.0));
        }
    }

    private final double[] cumulative = new double[POINTS];
    private final double total;
    /** The run time if no point of the grid is possible. */
    private final long only;

    /**
     * A distribution.
     *
     * @param median of the prior
     * @param spread the standard deviation of the logarithm of the prior
     * @param longerThan the greatest time that was exceeded; 0 if none was
     * @param atMost the upper bound; {@link Long#MAX_VALUE} if there is none
     */
    public RunTimeDistribution(double median, double spread, long longerThan, long atMost) {
        double sum = 0;
        double middle = StrictMath.log(Math.max(SECOND, median));
        for (int i = 0; i < POINTS; i++) {
            double off = (StrictMath.log((double) GRID[i]) - middle) / spread;
            boolean possible = GRID[i] > longerThan && GRID[i] <= atMost;
            sum += possible ? StrictMath.exp(-off * off / 2) : 0;
            cumulative[i] = sum;
        }
        total = sum;
        only = atMost > longerThan && atMost < Long.MAX_VALUE ? atMost : 2 * Math.max(1, longerThan);
    }

    /** The run time that is not exceeded with this probability. */
    public long quantile(double probability) {
        if (total == 0) {
            return only;
        }
        int i = 0;
        while (i < POINTS - 1 && cumulative[i] < probability * total) {
            i++;
        }
        return GRID[i];
    }

    /** The probability of a run time up to this one. */
    public double within(long millis) {
        if (total == 0) {
            return millis >= only ? 1 : 0;
        }
        int last = -1;
        while (last < POINTS - 1 && GRID[last + 1] <= millis) {
            last++;
        }
        return last < 0 ? 0 : cumulative[last] / total;
    }
}
