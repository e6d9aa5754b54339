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

    /** The same future for the users, with another stream for what jobs have of their own. */
    public DrawnRuns(RandomStream users, RandomStream each) {
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
        return run(user, parts, requested, elapsed, DOUBT);
    }

    /** The same, but if all possible fractions are equal the job uses that one and does not end at a uniform time. */
    public long runIfConstant(int user, double[] parts, long requested, long elapsed) {
        boolean constant = parts.length > 0 && parts[0] == parts[parts.length - 1];
        return run(user, parts, requested, elapsed, constant ? 0 : DOUBT);
    }

    private long run(int user, double[] parts, long requested, long elapsed, double uniform) {
        double own = each.nextDouble();
        boolean together = each.chance(TOGETHER);
        boolean doubt = each.chance(uniform);
        double quantile = together ? users.split(user).nextDouble() : own;
        return RequestCorrection.run(doubt ? NOTHING : parts, requested, elapsed, quantile);
    }
}
