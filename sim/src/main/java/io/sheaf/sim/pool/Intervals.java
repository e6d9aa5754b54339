package io.sheaf.sim.pool;

import io.sheaf.random.RandomStream;

/** The distribution of the intervals between arrivals. */
public enum Intervals {
    /** Whole seconds from a Poisson distribution, as Yu and Shi have them: at a mean of 1000 nearly all are within a tenth of it. */
    POISSON,
    /** Exponential, as between independent arrivals. */
    EXPONENTIAL;

    /** The maximum mean per piece, so that the product of uniform numbers does not underflow. */
    private static final double PIECE = 500;

    /** The arrival times of workflows, the first at 0, in milliseconds. */
    public long[] arrivals(int count, double meanSeconds, RandomStream random) {
        long[] at = new long[count];
        for (int i = 1; i < count; i++) {
            long millis = this == POISSON
                    ? 1000 * poisson(meanSeconds, random)
                    : Math.round(1000 * random.exponential(meanSeconds));
            at[i] = at[i - 1] + millis;
        }
        return at;
    }

    /** By multiplying uniform numbers (Knuth, volume 2), in pieces: a sum of Poisson numbers is one. */
    static long poisson(double mean, RandomStream random) {
        long all = 0;
        for (double remaining = mean; remaining > 0; remaining -= PIECE) {
            double limit = StrictMath.exp(-Math.min(remaining, PIECE));
            for (double product = 1 - random.nextDouble(); product > limit; product *= 1 - random.nextDouble()) {
                all++;
            }
        }
        return all;
    }
}
