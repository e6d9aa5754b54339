package io.sheaf.strategy;

import java.util.Arrays;

/** The free cores of each node, in a tree of maxima that finds the first node with enough of them. */
final class FreeCores {
    private int[] max = new int[2];
    private int leaves = 1;

    /** All nodes idle. */
    void reset(int nodes, int cores) {
        leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * nodes - 1)));
        if (max.length < 2 * leaves) {
            max = new int[2 * leaves];
        }
        Arrays.fill(max, leaves, leaves + nodes, cores);
        Arrays.fill(max, leaves + nodes, 2 * leaves, 0);
        for (int i = leaves - 1; i > 0; i--) {
            max[i] = Math.max(max[2 * i], max[2 * i + 1]);
        }
    }

    /** The first node from this one on with enough free cores; −1 if there is none. */
    int first(int node, int cores) {
        int i = leaves + node;
        if (node >= leaves) {
            return -1;
        }
        while (max[i] < cores) {
            // Up from right children, then over to the right neighbour.
            while ((i & 1) == 1) {
                i >>= 1;
            }
            if (i == 0) {
                return -1;
            }
            i++;
        }
        while (i < leaves) {
            i = max[2 * i] >= cores ? 2 * i : 2 * i + 1;
        }
        return i - leaves;
    }

    /** Allocates cores of a node, or frees them if negative. */
    void allocate(int node, int cores) {
        int i = leaves + node;
        max[i] -= cores;
        for (i >>= 1; i > 0; i >>= 1) {
            max[i] = Math.max(max[2 * i], max[2 * i + 1]);
        }
    }
}
