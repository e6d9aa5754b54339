package io.sheaf.sim;

/**
 * How much longer the jobs of others waited because of a run of ours, as {@link BackgroundCost} counts it.
 *
 * @param jobs how many were counted
 * @param meanSeconds by how many seconds they waited longer, in the mean; negative where they did better
 */
public record OthersWait(int jobs, double meanSeconds) {
    /** Nobody asked. */
    public static final OthersWait UNKNOWN = new OthersWait(0, Double.NaN);

    public boolean isKnown() {
        return !Double.isNaN(meanSeconds);
    }
}
