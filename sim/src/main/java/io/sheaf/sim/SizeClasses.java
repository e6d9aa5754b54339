package io.sheaf.sim;

import java.util.ArrayList;
import java.util.List;

/** Size classes of jobs: one node, then each class four times as wide, up to the whole cluster; at most eight. */
public final class SizeClasses {
    private static final int GROWTH = 4;
    private static final int MAX = 8;

    private final List<Integer> largest = new ArrayList<>();

    public SizeClasses(int nodes) {
        long bound = 1;
        while (bound < nodes && largest.size() < MAX - 1) {
            largest.add((int) bound);
            bound *= GROWTH;
        }
        largest.add(nodes);
    }

    public int count() {
        return largest.size();
    }

    public int of(int nodes) {
        int at = 0;
        while (at < largest.size() - 1 && nodes > largest.get(at)) {
            at++;
        }
        return at;
    }

    /** {@code 1}, {@code 2-4}, {@code 5-16} and so on; the last one ends at the cluster's size. */
    public String name(int at) {
        int to = largest.get(at);
        int from = at == 0 ? 1 : largest.get(at - 1) + 1;
        return from == to ? Integer.toString(to) : from + "-" + to;
    }

    /** The shade of a class, of eight from light to dark, spread over all of them. */
    public int shade(int at) {
        return largest.size() == 1 ? 0 : (at * (MAX - 1) + (largest.size() - 1) / 2) / (largest.size() - 1);
    }

    public List<Integer> largest() {
        return List.copyOf(largest);
    }
}
