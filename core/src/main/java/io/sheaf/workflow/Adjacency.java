package io.sheaf.workflow;

import java.util.Arrays;

/**
 * For each of n rows a list of distinct numbers, in two int arrays (compressed sparse rows): 4 bytes per entry and row.
 *
 * <p>Used for edges, inputs and outputs.
 */
final class Adjacency {
    /** Row r is at values[start[r]] … values[start[r + 1] − 1]. */
    final int[] start;

    final int[] values;

    private Adjacency(int[] start, int[] values) {
        this.start = start;
        this.values = values;
    }

    /** Gathers pairs (row, value) by row, each row in ascending order. */
    static Adjacency sorted(int rows, IntPairs pairs) {
        Adjacency all = gathered(rows, pairs);
        for (int row = 0; row < rows; row++) {
            sort(all.values, all.start[row], all.start[row + 1]);
        }
        return all.distinct(rows);
    }

    /** Gathers pairs (row, value) by row, each row in the order of the pairs. */
    static Adjacency listed(int rows, IntPairs pairs) {
        return gathered(rows, pairs).distinct(rows);
    }

    private static Adjacency gathered(int rows, IntPairs pairs) {
        int[] start = new int[rows + 1];
        for (int i = 0; i < pairs.size(); i++) {
            start[pairs.first(i) + 1]++;
        }
        for (int row = 0; row < rows; row++) {
            start[row + 1] += start[row];
        }
        int[] values = new int[pairs.size()];
        int[] next = Arrays.copyOf(start, rows);
        for (int i = 0; i < pairs.size(); i++) {
            values[next[pairs.first(i)]++] = pairs.second(i);
        }
        return new Adjacency(start, values);
    }

    /** Keeps the first of equal values in a row, moving the rest together in place. */
    private Adjacency distinct(int rows) {
        int[] rowOfLast = new int[Arrays.stream(values).max().orElse(-1) + 1];
        int kept = 0;
        for (int row = 0; row < rows; row++) {
            int from = start[row];
            start[row] = kept;
            for (int i = from; i < start[row + 1]; i++) {
                if (rowOfLast[values[i]] != row + 1) {
                    rowOfLast[values[i]] = row + 1;
                    values[kept++] = values[i];
                }
            }
        }
        start[rows] = kept;
        return new Adjacency(start, kept == values.length ? values : Arrays.copyOf(values, kept));
    }

    /** Insertion sort for the usual short list, which is mostly sorted already. */
    private static void sort(int[] values, int from, int to) {
        if (to - from > 32) {
            Arrays.sort(values, from, to);
            return;
        }
        for (int i = from + 1; i < to; i++) {
            int value = values[i];
            int at = i;
            while (at > from && values[at - 1] > value) {
                values[at] = values[at - 1];
                at--;
            }
            values[at] = value;
        }
    }

    /** The reverse relation, with this many rows, each in ascending order. */
    Adjacency reversed(int rows) {
        int[] from = new int[rows + 1];
        for (int value : values) {
            from[value + 1]++;
        }
        for (int row = 0; row < rows; row++) {
            from[row + 1] += from[row];
        }
        int[] next = Arrays.copyOf(from, rows);
        int[] out = new int[values.length];
        for (int row = 0; row < start.length - 1; row++) {
            for (int i = start[row]; i < start[row + 1]; i++) {
                out[next[values[i]]++] = row;
            }
        }
        return new Adjacency(from, out);
    }

    /** These rows and then those of another one. */
    Adjacency followedBy(Adjacency more) {
        int rows = start.length - 1;
        int[] starts = Arrays.copyOf(start, rows + more.start.length);
        for (int row = 0; row < more.start.length; row++) {
            starts[rows + row] = values.length + more.start[row];
        }
        int[] all = Arrays.copyOf(values, values.length + more.values.length);
        System.arraycopy(more.values, 0, all, values.length, more.values.length);
        return new Adjacency(starts, all);
    }

    /** These rows and then those of another one, whose values have other numbers here. */
    Adjacency followedBy(Adjacency more, int[] numbers) {
        int[] renumbered = new int[more.values.length];
        Arrays.setAll(renumbered, i -> numbers[more.values[i]]);
        return followedBy(new Adjacency(more.start, renumbered));
    }

    int size() {
        return values.length;
    }

    int degree(int row) {
        return start[row + 1] - start[row];
    }

    int value(int row, int index) {
        int at = start[row] + index;
        if (index < 0 || at >= start[row + 1]) {
            throw new IndexOutOfBoundsException(index);
        }
        return values[at];
    }
}
