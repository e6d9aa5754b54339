package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/** Free units over time for the plain engine: sorted arrays, searched and changed from end to end. */
final class PlainProfile {
    private long[] time = new long[64];
    private int[] free = new int[64];
    private int size;

    PlainProfile(long at, int capacity) {
        time[0] = at;
        free[0] = capacity;
        size = 1;
    }

    void forgetBefore(long at) {
        int past = 0;
        while (past + 1 < size && time[past + 1] <= at) {
            past++;
        }
        System.arraycopy(time, past, time, 0, size - past);
        System.arraycopy(free, past, free, 0, size - past);
        size -= past;
    }

    /** The first start at or after {@code from} of a gap of units × walltime; NEVER if there is none. */
    long hole(long from, int units, long walltime) {
        long start = from;
        for (int i = 0; i < size; i++) {
            long until = i + 1 < size ? time[i + 1] : NEVER;
            if (until <= start) {
                continue;
            }
            if (free[i] < units) {
                start = until;
            } else if (until == NEVER || until - start >= walltime) {
                return start;
            }
        }
        return NEVER;
    }

    void add(long from, long to, int units) {
        if (from >= to) {
            return;
        }
        cut(from);
        cut(to);
        int count = 0;
        for (int i = 0; i < size; i++) {
            int value = time[i] >= from && time[i] < to ? free[i] + units : free[i];
            if (count == 0 || free[count - 1] != value) {
                time[count] = time[i];
                free[count++] = value;
            }
        }
        size = count;
    }

    private void cut(long instant) {
        int i = size;
        while (i > 0 && time[i - 1] > instant) {
            i--;
        }
        if (i == 0 || time[i - 1] == instant) {
            return;
        }
        if (size == time.length) {
            time = Arrays.copyOf(time, 2 * size);
            free = Arrays.copyOf(free, 2 * size);
        }
        System.arraycopy(time, i, time, i + 1, size - i);
        System.arraycopy(free, i, free, i + 1, size - i);
        size++;
        time[i] = instant;
        free[i] = free[i - 1];
    }
}
