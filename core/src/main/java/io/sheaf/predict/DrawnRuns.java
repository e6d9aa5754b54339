package io.sheaf.predict;

import io.sheaf.random.RandomStream;

/**
 * How long jobs run in one thought-out future. Jobs of one user tend to be alike, so most of them are drawn together; and what is known of requests may not hold, so some of them end at any
 * time.
 */
public final class DrawnRuns {
    private static final double TOGETHER = 0.75;
    private static final double DOUBT = 0.1;
    private static final double[] NOTHING = {};

    private final RandomStream users;
    private final RandomStream each;

    /** A future; another stream makes another one. */
    public DrawnRuns(RandomStream random) {
        this(random.split("users"), random.split("jobs"));
    }

    private DrawnRuns(RandomStream users, RandomStream each) {
        this.users = users;
        this.each = each;
    }

    /** The same future for one job, by its number: whatever was drawn for others before. */
    DrawnRuns of(int job) {
        return new DrawnRuns(users, each.split(job));
    }

    /**
     * How long a job runs in all, in milliseconds.
     *
     * @param parts the parts of its request that it may use, as of {@link RequestCorrection#parts}
     * @param elapsed how long it has run
     */
    public long run(int user, double[] parts, long requested, long elapsed) {
        double own = each.nextDouble();
        boolean together = each.chance(TOGETHER);
        boolean doubt = each.chance(DOUBT);
        double where = together ? users.split(user).nextDouble() : own;
        return RequestCorrection.run(doubt ? NOTHING : parts, requested, elapsed, where);
    }
}
