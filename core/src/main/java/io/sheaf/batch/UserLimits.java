package io.sheaf.batch;

/**
 * Limits of each user of a queue: running jobs, units in use, and units × walltime of the running jobs.
 *
 * <p>A planned job counts like a running one, and a running one with its whole walltime until it ends; Slurm counts the remaining part only. A job
 * beyond a limit stays in the queue and is not planned until a job of that user ends; Maui calls it blocked. So a planned start never violates a
 * limit. A job that alone exceeds a limit is refused, as by {@link JobLimits}.
 *
 * @param running the maximum number of running jobs of a user
 * @param units the maximum number of units, such as nodes, that a user has in use
 * @param unitTime the maximum sum of units × walltime of a user's running jobs, in milliseconds
 * @param scope the users that the limits apply to
 */
public record UserLimits(int running, int units, long unitTime, LimitScope scope) {
    public static final UserLimits NONE = new UserLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, LimitScope.ALL);

    /** The users that limits apply to. */
    public enum LimitScope {
        /** All users. */
        ALL,
        /** Our user only: jobs of a log ran under the limits of their own site. */
        OWN
    }

    public UserLimits {
        if (running < 1 || units < 1 || unitTime < 1) {
            throw new IllegalArgumentException("limits per user of " + running + " running jobs, " + units
                    + " units and " + unitTime + " unit-ms: at least 1 each");
        }
        scope = isAny(running, units, unitTime) ? LimitScope.ALL : scope;
    }

    public UserLimits(int running, int units, LimitScope scope) {
        this(running, units, Long.MAX_VALUE, scope);
    }

    public boolean areNone() {
        return isAny(running, units, unitTime);
    }

    private static boolean isAny(int running, int units, long unitTime) {
        return running == Integer.MAX_VALUE && units == Integer.MAX_VALUE && unitTime == Long.MAX_VALUE;
    }

    /** The same limits of other users. */
    public UserLimits of(LimitScope users) {
        return new UserLimits(running, units, unitTime, users);
    }

    /** What one job of a user may have. */
    public JobLimits ofJob() {
        return new JobLimits(units, Long.MAX_VALUE).unitTime(unitTime);
    }
}
