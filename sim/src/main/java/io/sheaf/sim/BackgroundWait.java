package io.sheaf.sim;

/**
 * The increase of the background jobs' waits by a run, see {@link BackgroundCost}.
 *
 * @param jobs the number of counted jobs
 * @param meanSeconds the mean increase in seconds; negative if they waited less
 */
public record BackgroundWait(int jobs, double meanSeconds) {
    /** Not measured. */
    public static final BackgroundWait UNKNOWN = new BackgroundWait(0, Double.NaN);

    public boolean isKnown() {
        return !Double.isNaN(meanSeconds);
    }
}
