package io.sheaf.report;

import java.util.List;

/**
 * How busy the cluster was with others' jobs: from each instant to the next, and from the last on.
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
     * From an instant on.
     *
     * @param busy nodes in use by others
     * @param queued jobs of others that wait
     */
    public record Point(long at, int busy, int queued) {}
}
