package io.sheaf.platform;

import java.util.Arrays;

/**
 * Weighted max-min fair sharing of links between groups of equal flows.
 *
 * <p>A group's flows use the same links and have the same penalty p. A common level L rises from 0; a flow's share is L / p. When a link is
 * saturated, its flows are frozen at their share, and the level rises for the rest. Each flow also has an upper bound of its own.
 *
 * <p>The same numbers of flows recur as messages start and end, so solutions are cached in a direct-mapped table.
 */
final class FairShares {
    /** Size of the cache, a power of two: 95 % hits; more is hardly worth the memory. */
    private static final int KEPT = 64;

    private static final int SCATTER = 0x9E3779B9;

    private final int[][] links;
    private final double[] penalty;
    private final double[] bound;
    private final double[] capacity;
    /** What a flow takes of a link for each byte of its share. */
    private final double use;

    private final double[] remaining;
    /** Over the groups on a link that still rise: how much of it a unit of level takes. */
    private final double[] slope;

    private final int[] rising;
    private final int[] open;

    /** For each place the numbers of flows, group after group, and their shares; at first no flows and no shares. */
    private final int[] keptFlows;

    private final double[] keptShares;

    /**
     * @param links of each group
     * @param use what a flow takes of each of its links for each byte of its share
     */
    FairShares(int[][] links, double[] penalty, double[] bound, double[] capacity, double use) {
        this.links = links;
        this.penalty = penalty;
        this.bound = bound;
        this.capacity = capacity;
        this.use = use;
        remaining = new double[capacity.length];
        slope = new double[capacity.length];
        rising = new int[capacity.length];
        open = new int[links.length];
        keptFlows = new int[KEPT * links.length];
        keptShares = new double[KEPT * links.length];
    }

    /** Finds the share of one flow of each group, given how many flows each has; groups without flows get 0. */
    void solve(int[] flows, double[] share) {
        int length = flows.length;
        int from = place(flows) * length;
        if (Arrays.equals(keptFlows, from, from + length, flows, 0, length)) {
            System.arraycopy(keptShares, from, share, 0, length);
            return;
        }
        rise(flows, share);
        System.arraycopy(flows, 0, keptFlows, from, length);
        System.arraycopy(share, 0, keptShares, from, length);
    }

    private static int place(int[] flows) {
        int hash = 0;
        for (int count : flows) {
            hash = 31 * hash + count;
        }
        return ((hash * SCATTER) >>> 16) & (KEPT - 1);
    }

    private void rise(int[] flows, double[] share) {
        int groups = begin(flows, share);
        while (groups > 0) {
            int fullest = fullest();
            double level = fullest < 0 ? Double.POSITIVE_INFINITY : Math.max(0, remaining[fullest]) / slope[fullest];
            int bounded = bounded(groups, level);
            int kept = 0;
            for (int i = 0; i < groups; i++) {
                int group = open[i];
                if (bounded >= 0 ? group == bounded : uses(group, fullest)) {
                    freeze(group, flows[group], bounded >= 0 ? bound[group] : level / penalty[group], share);
                } else {
                    open[kept++] = group;
                }
            }
            groups = kept;
        }
    }

    private int begin(int[] flows, double[] share) {
        System.arraycopy(capacity, 0, remaining, 0, capacity.length);
        Arrays.fill(slope, 0);
        Arrays.fill(rising, 0);
        int groups = 0;
        for (int group = 0; group < flows.length; group++) {
            share[group] = 0;
            if (flows[group] > 0) {
                open[groups++] = group;
                double taken = use * flows[group] / penalty[group];
                for (int link : links[group]) {
                    slope[link] += taken;
                    rising[link]++;
                }
            }
        }
        return groups;
    }

    /** The link that is full first, or −1. */
    private int fullest() {
        int first = -1;
        double lowest = Double.POSITIVE_INFINITY;
        for (int link = 0; link < remaining.length; link++) {
            if (rising[link] > 0) {
                double level = remaining[link] / slope[link];
                if (level < lowest) {
                    lowest = level;
                    first = link;
                }
            }
        }
        return first;
    }

    /** The group that reaches its own bound first and below this level, or −1. */
    private int bounded(int groups, double level) {
        int first = -1;
        double lowest = level;
        for (int i = 0; i < groups; i++) {
            double reached = bound[open[i]] * penalty[open[i]];
            if (reached < lowest) {
                lowest = reached;
                first = open[i];
            }
        }
        return first;
    }

    private boolean uses(int group, int link) {
        for (int used : links[group]) {
            if (used == link) {
                return true;
            }
        }
        return false;
    }

    private void freeze(int group, int flows, double value, double[] share) {
        share[group] = value;
        double taken = use * flows / penalty[group];
        for (int link : links[group]) {
            remaining[link] -= use * flows * value;
            slope[link] -= taken;
            rising[link]--;
        }
    }
}
