package io.sheaf.platform;

import java.util.Arrays;
import java.util.List;

/**
 * The routes of a platform, grouped: flows between the same two places share alike, whichever way they go.
 *
 * <p>With k clusters, routes 0 to k − 1 lead from the user's machine to each cluster, the next k stay inside a cluster, the rest connect
 * two clusters. Constants are those of the flow model LV08 of SimGrid 3.29.
 */
final class NetworkRoutes {
    /** How much longer the start of a flow takes than the latency of its route. */
    static final double LATENCY_FACTOR = 13.01;
    /** The part of its share that a flow makes progress with. */
    static final double BANDWIDTH_FACTOR = 0.97;
    /** Bytes on a link for each byte sent: acknowledgements come back over the same link. */
    static final double CROSS_TRAFFIC = 1.05;
    /** The penalty that a link adds to a route is this over its bandwidth. */
    static final double WEIGHT = 20_537;

    private static final int USER_LINK = 0;

    private final int clusters;
    private final int[][] links;
    private final double[] delay;
    private final double[] penalty;
    private final double[] bound;
    private final double[] capacity;
    /** The different delays, and which of them each route has. */
    private final double[] lines;

    private final int[] line;

    NetworkRoutes(Platform platform) {
        clusters = platform.clusters().size();
        int routes = 2 * clusters + clusters * (clusters - 1) / 2;
        links = new int[routes][];
        delay = new double[routes];
        penalty = new double[routes];
        bound = new double[routes];
        capacity = new double[1 + 2 * clusters];
        List<PlatformCluster> all = platform.clusters();
        double node = platform.fabric().nodeLatency();
        capacity[USER_LINK] = platform.user().bandwidth();
        for (int k = 0; k < clusters; k++) {
            capacity[link(k)] = all.get(k).bandwidth();
            capacity[backbone(k)] = platform.fabric().backbone();
        }
        for (int k = 0; k < clusters; k++) {
            double reach = all.get(k).latency() + node;
            set(platform, user(k), platform.user().latency() + reach, 1, USER_LINK, link(k), backbone(k));
            set(platform, inside(k), 2 * node, 2, backbone(k));
            for (int j = 0; j < k; j++) {
                double across = all.get(j).latency() + node + reach;
                set(platform, between(j, k), across, 2, backbone(j), link(j), link(k), backbone(k));
            }
        }
        lines = Arrays.stream(delay).sorted().distinct().toArray();
        line = Arrays.stream(delay)
                .mapToInt(each -> Arrays.binarySearch(lines, each))
                .toArray();
    }

    private void set(Platform platform, int route, double latency, int nodeLinks, int... shared) {
        links[route] = shared;
        delay[route] = LATENCY_FACTOR * latency;
        bound[route] = platform.fabric().node();
        penalty[route] = latency + nodeLinks * WEIGHT / platform.fabric().node();
        for (int link : shared) {
            penalty[route] += WEIGHT / capacity[link];
        }
    }

    private static int link(int cluster) {
        return 1 + cluster;
    }

    private int backbone(int cluster) {
        return 1 + clusters + cluster;
    }

    int user(int cluster) {
        return cluster;
    }

    int inside(int cluster) {
        return clusters + cluster;
    }

    int between(int one, int other) {
        int low = Math.min(one, other);
        int high = Math.max(one, other);
        return low == high ? inside(low) : 2 * clusters + high * (high - 1) / 2 + low;
    }

    /** The route from a place to a cluster; places are clusters and, after them, the user's machine. */
    int from(int place, int cluster) {
        return place == clusters ? user(cluster) : between(place, cluster);
    }

    int count() {
        return links.length;
    }

    /** The lines that messages wait in before their first byte flows, one for each length of wait. */
    Delays delays() {
        return new Delays(lines);
    }

    /** The line of {@link #delays} that a route has. */
    int line(int route) {
        return line[route];
    }

    /** Seconds before the first byte flows. */
    double delay(int route) {
        return delay[route];
    }

    FairShares shares() {
        return new FairShares(links, penalty, bound, capacity, CROSS_TRAFFIC);
    }
}
