package io.sheaf.batch;

/**
 * What each user may have at a time: jobs in the system (more are refused), jobs running and units in use.
 *
 * <p>A planned job takes its share of the last two as a running one does. A job beyond them is not planned until a job of that
 * user ends: Maui calls it blocked. So a planned start never fails for a limit.
 */
public record UserLimits(int jobs, int running, int units) {
    public static final UserLimits NONE = new UserLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

    public UserLimits {
        if (jobs < 1 || running < 1 || units < 1) {
            throw new IllegalArgumentException("limits per user of " + jobs + " jobs, " + running + " running, " + units
                    + " units: at least 1 each");
        }
    }
}
