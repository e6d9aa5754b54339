package io.sheaf.platform;

import java.util.Arrays;

/**
 * Events that are due after one of a few fixed delays: a line for each delay, in which nothing overtakes, so that no heap is needed.
 *
 * <p>Of two events that are due at the same date, that of the lower sequence comes first, as in {@link EventHeap}.
 */
final class Delays {
    private final double[] delay;
    private final double[][] date;
    private final long[][] sequence;
    private final int[][] token;
    /** The place of each line's first event, and how many it has; lengths are powers of two. */
    private final int[] head;

    private final int[] size;
    /** The line with the earliest event; −1 if empty. */
    private int first = -1;

    Delays(double[] delay) {
        this.delay = delay;
        date = new double[delay.length][16];
        sequence = new long[delay.length][16];
        token = new int[delay.length][16];
        head = new int[delay.length];
        size = new int[delay.length];
    }

    boolean isEmpty() {
        return first < 0;
    }

    double firstDate() {
        return date[first][head[first]];
    }

    long firstSequence() {
        return sequence[first][head[first]];
    }

    /** Puts an event at the end of a line; the present must not be before that of any earlier call. */
    void add(int line, double now, long newSequence, int newToken) {
        if (size[line] == date[line].length) {
            grow(line);
        }
        int at = (head[line] + size[line]++) & (date[line].length - 1);
        date[line][at] = now + delay[line];
        sequence[line][at] = newSequence;
        token[line][at] = newToken;
        if (size[line] == 1 && (first < 0 || isBefore(line, first))) {
            first = line;
        }
    }

    /** Removes the first event and returns its token. */
    int pop() {
        int at = head[first];
        int popped = token[first][at];
        head[first] = (at + 1) & (date[first].length - 1);
        size[first]--;
        first = -1;
        for (int line = 0; line < size.length; line++) {
            if (size[line] > 0 && (first < 0 || isBefore(line, first))) {
                first = line;
            }
        }
        return popped;
    }

    private boolean isBefore(int line, int other) {
        double one = date[line][head[line]];
        double two = date[other][head[other]];
        return one < two || (one == two && sequence[line][head[line]] < sequence[other][head[other]]);
    }

    private void grow(int line) {
        int length = date[line].length;
        int from = head[line];
        double[] dates = Arrays.copyOfRange(date[line], from, from + 2 * length);
        long[] sequences = Arrays.copyOfRange(sequence[line], from, from + 2 * length);
        int[] tokens = Arrays.copyOfRange(token[line], from, from + 2 * length);
        System.arraycopy(date[line], 0, dates, length - from, from);
        System.arraycopy(sequence[line], 0, sequences, length - from, from);
        System.arraycopy(token[line], 0, tokens, length - from, from);
        date[line] = dates;
        sequence[line] = sequences;
        token[line] = tokens;
        head[line] = 0;
    }

    void copy(Delays other) {
        for (int line = 0; line < size.length; line++) {
            date[line] = other.date[line].clone();
            sequence[line] = other.sequence[line].clone();
            token[line] = other.token[line].clone();
        }
        System.arraycopy(other.head, 0, head, 0, head.length);
        System.arraycopy(other.size, 0, size, 0, size.length);
        first = other.first;
    }
}
