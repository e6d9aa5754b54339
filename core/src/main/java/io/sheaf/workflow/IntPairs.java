package io.sheaf.workflow;

import java.util.Arrays;

/** A growing list of pairs of ints. */
final class IntPairs {
    private int[] values = new int[32];
    private int size;

    void add(int first, int second) {
        if (2 * size == values.length) {
            values = Arrays.copyOf(values, values.length + (values.length >> 1) & ~1);
        }
        values[2 * size] = first;
        values[2 * size + 1] = second;
        size++;
    }

    int size() {
        return size;
    }

    int first(int index) {
        return values[2 * index];
    }

    int second(int index) {
        return values[2 * index + 1];
    }
}
