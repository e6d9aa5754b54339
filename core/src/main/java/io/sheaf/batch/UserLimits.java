package io.sheaf.batch;

/**
 * Limits of each user: jobs in the system (more are refused), running jobs and units in use.
 *
 * <p>A planned job counts towards the last two like a running one. A job beyond them is not planned until a job of that user ends; Maui calls it
 * blocked. So a planned start never violates a limit.
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
