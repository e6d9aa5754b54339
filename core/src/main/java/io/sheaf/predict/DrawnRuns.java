package io.sheaf.predict;

import io.sheaf.random.RandomStream;

/**
 * Run times of jobs in one sampled future. Jobs of one user are similar, so most of them share a sample. Some jobs end at a uniform time, because
 * learnt fractions may not hold.
 */
public final class DrawnRuns {
    private static final double TOGETHER = 0.75;
    private static final double DOUBT = 0.1;
    private static final double[] NOTHING = {};

    private final RandomStream users;
    private final RandomStream each;

    /** A future; another stream gives another future. */
    public DrawnRuns(RandomStream random) {
        this(random.split("users"), random.split("jobs"));
    }

    private DrawnRuns(RandomStream users, RandomStream each) {
        this.users = users;
        this.each = each;
    }

    /** The same future for one job, independent of earlier samples. */
    DrawnRuns of(int job) {
        return new DrawnRuns(users, each.split(job));
    }

    /**
     * The total run time of a job, in milliseconds.
     *
     * @param parts the possible used fractions of its request, see {@link RequestCorrection#parts}
     * @param elapsed its run time so far
     */
    public long run(int user, double[] parts, long requested, long elapsed) {
        double own = each.nextDouble();
        boolean together = each.chance(TOGETHER);
        boolean doubt = each.chance(DOUBT);
        double quantile = together ? users.split(user).nextDouble() : own;
        return RequestCorrection.run(doubt ? NOTHING : parts, requested, elapsed, quantile);
    }
}
