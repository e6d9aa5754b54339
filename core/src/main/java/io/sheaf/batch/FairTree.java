package io.sheaf.batch;

import java.util.Arrays;

/**
 * Slurm's Fair Tree: the fair-share factors of users below a tree of accounts.
 *
 * <p>The level fair share of an account or user is its part of its siblings' shares over its part of their usage. Users are ranked by walking the tree
 * from the root, at each level the largest level fair share first and users before accounts. Accounts of equal level fair share are ranked as
 * one, with the children of all. So users are ordered by the values on their paths from the root. The first of n users has the factor 1, the next
 * (n − 1) / n, and so on; users of equal paths have the same.
 *
 * <p>On primitive arrays; allocates only while it grows. Parents are added before their children.
 */
public final class FairTree {
    public static final int ROOT = 0;

    /** Shares of a user that uses those of its account: it is before its siblings. */
    public static final double PARENT = -1;

    private static final double HIGHEST = 4_294_967_294.0;

    private int[] parent = new int[8];
    private int[] depth = new int[8];
    private boolean[] isUser = new boolean[8];
    private double[] shares = new double[8];
    private double[] own = new double[8];
    private double[] usage = new double[8];
    private double[] siblingShares = new double[8];
    private double[] factor = new double[8];
    private int count = 1;

    /** The users by rank, and space for sorting them. */
    private int[] order = new int[8];

    private int[] merged = new int[8];
    private int users;

    private int deepest;
    /** The level fair shares on the path of each node, {@code deepest} for each. */
    private double[] path = new double[0];

    /** Adds an account or a user and returns its number. */
    public int add(int above, double itsShares, boolean user) {
        if (above < 0 || above >= count || isUser[above] || !(itsShares >= 0 || itsShares == PARENT)) {
            throw new IllegalArgumentException("an account or user of " + itsShares + " shares below number " + above);
        }
        if (count == parent.length) {
            grow(2 * count);
        }
        int node = count++;
        parent[node] = above;
        depth[node] = depth[above] + 1;
        deepest = Math.max(deepest, depth[node]);
        isUser[node] = user;
        shares[node] = itsShares;
        own[node] = 0;
        factor[node] = 0;
        if (user) {
            order[users++] = node;
        }
        return node;
    }

    /** Sets the decayed usage of a user, or that of an account which is not its children's. */
    public void use(int node, double amount) {
        own[node] = amount;
    }

    /** The factor of a user as of the last {@link #rank}. */
    public double factor(int user) {
        return factor[user];
    }

    /** Computes the factors of all users. */
    public void rank() {
        computeLevels();
        sortUsers();
        int rank = users;
        for (int i = 0; i < users; i++) {
            boolean tied = i > 0 && startsAlike(order[i - 1], order[i], depth[order[i - 1]]);
            rank = tied ? rank : users - i;
            factor[order[i]] = rank / (double) users;
        }
    }

    private void computeLevels() {
        System.arraycopy(own, 0, usage, 0, count);
        Arrays.fill(siblingShares, 0, count, 0);
        for (int node = count - 1; node > ROOT; node--) {
            usage[parent[node]] += usage[node];
            siblingShares[parent[node]] += Math.max(0, shares[node]);
        }
        if (path.length < count * deepest) {
            path = new double[2 * count * deepest];
        }
        for (int node = 1; node < count; node++) {
            int to = node * deepest;
            System.arraycopy(path, parent[node] * deepest, path, to, depth[node] - 1);
            path[to + depth[node] - 1] = level(node);
        }
    }

    private double level(int node) {
        if (shares[node] == PARENT) {
            return HIGHEST;
        }
        double share = siblingShares[parent[node]] == 0 ? 0 : shares[node] / siblingShares[parent[node]];
        double used = usage[parent[node]] == 0 ? 0 : usage[node] / usage[parent[node]];
        return share == 0 ? 0 : used == 0 ? Double.POSITIVE_INFINITY : share / used;
    }

    /** Merge sort that leaves sorted parts as they are: the order changes little from one computation to the next. */
    private void sortUsers() {
        for (int width = 1; width < users; width *= 2) {
            for (int from = 0; from + width < users; from += 2 * width) {
                int middle = from + width;
                if (precedes(order[middle], order[middle - 1])) {
                    merge(from, middle, Math.min(users, middle + width));
                }
            }
        }
    }

    private void merge(int from, int middle, int to) {
        System.arraycopy(order, from, merged, from, to - from);
        int next = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean second = next == middle || (right < to && precedes(merged[right], merged[next]));
            order[i] = second ? merged[right++] : merged[next++];
        }
    }

    private boolean precedes(int a, int b) {
        int common = Math.min(depth[a], depth[b]);
        for (int d = 0; d < common; d++) {
            double x = path[a * deepest + d];
            double y = path[b * deepest + d];
            if (x != y) {
                return x > y;
            }
        }
        return depth[a] != depth[b] ? depth[a] < depth[b] : a < b;
    }

    private boolean startsAlike(int a, int b, int levels) {
        return levels <= depth[b]
                && Arrays.equals(path, a * deepest, a * deepest + levels, path, b * deepest, b * deepest + levels);
    }

    void copyFrom(FairTree o) {
        if (parent.length < o.count) {
            grow(o.parent.length);
        }
        System.arraycopy(o.parent, 0, parent, 0, o.count);
        System.arraycopy(o.depth, 0, depth, 0, o.count);
        System.arraycopy(o.isUser, 0, isUser, 0, o.count);
        System.arraycopy(o.shares, 0, shares, 0, o.count);
        System.arraycopy(o.own, 0, own, 0, o.count);
        System.arraycopy(o.factor, 0, factor, 0, o.count);
        System.arraycopy(o.order, 0, order, 0, o.users);
        count = o.count;
        users = o.users;
        deepest = o.deepest;
    }

    private void grow(int n) {
        parent = Arrays.copyOf(parent, n);
        depth = Arrays.copyOf(depth, n);
        isUser = Arrays.copyOf(isUser, n);
        shares = Arrays.copyOf(shares, n);
        own = Arrays.copyOf(own, n);
        usage = Arrays.copyOf(usage, n);
        siblingShares = Arrays.copyOf(siblingShares, n);
        factor = Arrays.copyOf(factor, n);
        order = Arrays.copyOf(order, n);
        merged = Arrays.copyOf(merged, n);
    }
}
