package io.sheaf.report;

import java.util.List;

/**
 * The cluster's background load as a step function of time.
 *
 * @param points in order of time
 */
public record BackgroundLoad(List<Point> points) {
    /** Not measured. */
    public static final BackgroundLoad UNKNOWN = new BackgroundLoad(List.of());

    public BackgroundLoad {
        points = List.copyOf(points);
    }

    /**
     * The load from an instant to the next point.
     *
     * @param busy nodes used by background jobs
     * @param queued background jobs in the queue
     */
    public record Point(long at, int busy, int queued) {}
}
