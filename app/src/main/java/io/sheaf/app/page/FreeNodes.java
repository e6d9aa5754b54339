package io.sheaf.app.page;

import java.util.Arrays;

/** The free nodes of a cluster by number, as sorted intervals. */
public final class FreeNodes {
    /** Receives a range of nodes. */
    @FunctionalInterface
    public interface RangeConsumer {
        void range(int first, int length);
    }

    /** Interval i is [from[i], to[i]); no two touch. */
    private int[] from = new int[64];

    private int[] to = new int[64];
    private int size;

    /** A cluster with all nodes free. */
    public FreeNodes(int nodes) {
        insert(0, 0, nodes);
    }

    /** Takes the lowest contiguous block that fits, else the lowest free nodes. */
    public void allocate(int nodes, RangeConsumer ranges) {
        for (int i = 0; i < size; i++) {
            if (to[i] - from[i] >= nodes) {
                allocateFrom(i, nodes, ranges);
                return;
            }
        }
        int missing = nodes;
        while (missing > 0) {
            if (size == 0) {
                throw new IllegalStateException(missing + " more nodes are in use than the cluster has");
            }
            missing -= allocateFrom(0, Math.min(missing, to[0] - from[0]), ranges);
        }
    }

    private int allocateFrom(int i, int nodes, RangeConsumer ranges) {
        ranges.range(from[i], nodes);
        from[i] += nodes;
        if (from[i] == to[i]) {
            remove(i);
        }
        return nodes;
    }

    public void free(int first, int length) {
        int end = first + length;
        int at = Arrays.binarySearch(from, 0, size, first);
        if (at >= 0) {
            throw new IllegalStateException("node " + first + " is free already");
        }
        int i = -at - 1;
        boolean left = i > 0 && to[i - 1] == first;
        boolean right = i < size && from[i] == end;
        if (left && right) {
            to[i - 1] = to[i];
            remove(i);
        } else if (left) {
            to[i - 1] = end;
        } else if (right) {
            from[i] = first;
        } else {
            insert(i, first, end);
        }
    }

    private void insert(int i, int first, int end) {
        if (size == from.length) {
            from = Arrays.copyOf(from, 2 * size);
            to = Arrays.copyOf(to, 2 * size);
        }
        System.arraycopy(from, i, from, i + 1, size - i);
        System.arraycopy(to, i, to, i + 1, size - i);
        from[i] = first;
        to[i] = end;
        size++;
    }

    private void remove(int i) {
        size--;
        System.arraycopy(from, i + 1, from, i, size - i);
        System.arraycopy(to, i + 1, to, i, size - i);
    }
}
