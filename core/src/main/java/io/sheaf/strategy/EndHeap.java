package io.sheaf.strategy;

import java.util.Arrays;

/**
 * The running tasks by the date of their end: a 4-ary heap of longs that hold the date in the upper and the task in the lower bits.
 *
 * <p>On a full machine nearly every end is followed by a start. So taking the first leaves a gap at the top, which the next one
 * added fills on its way down; only a second removal has to close it.
 */
final class EndHeap {
    private long[] keys = new long[64];
    private int size;
    private boolean gap;

    boolean isEmpty() {
        return size == 0 || (gap && size == 1);
    }

    void add(long key) {
        if (gap) {
            gap = false;
            sink(key);
            return;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        int i = size++;
        while (i > 0) {
            int parent = (i - 1) >> 2;
            if (keys[parent] <= key) {
                break;
            }
            keys[i] = keys[parent];
            i = parent;
        }
        keys[i] = key;
    }

    /** The least key; there must be one. */
    long first() {
        if (gap) {
            gap = false;
            sink(keys[--size]);
        }
        return keys[0];
    }

    /** Removes the key that {@link #first} told. */
    void removeFirst() {
        gap = true;
    }

    void clear() {
        size = 0;
        gap = false;
    }

    private void sink(long key) {
        long[] k = keys;
        int n = size;
        int i = 0;
        while (true) {
            int child = 4 * i + 1;
            if (child >= n) {
                break;
            }
            int last = Math.min(child + 4, n);
            int least = child;
            long leastKey = k[child];
            for (int c = child + 1; c < last; c++) {
                if (k[c] < leastKey) {
                    leastKey = k[c];
                    least = c;
                }
            }
            if (leastKey >= key) {
                break;
            }
            k[i] = leastKey;
            i = least;
        }
        k[i] = key;
    }
}
