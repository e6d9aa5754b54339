package io.sheaf.batch;

import static io.sheaf.batch.BatchScheduler.NEVER;

import java.util.Arrays;

/**
 * Which units, by number, are free over time: a job needs one block of consecutive numbers for its whole walltime, and gets
 * the lowest. This is stricter than counting and far slower; it is there because some schedulers place jobs so.
 *
 * <p>Each segment of time has a bit set of free units. The sets of the segments that a job would span are intersected until the
 * block no longer fits; the search goes on with the next start.
 */
final class ContiguousProfile extends Profile {
    private final int capacity;
    private final int words;
    private long[] time = new long[64];
    private long[][] free;
    private final long[] common;
    private int size;

    ContiguousProfile(int capacity) {
        this.capacity = capacity;
        words = (capacity + 63) >>> 6;
        common = new long[words];
        free = new long[64][words];
        clear(Long.MIN_VALUE, capacity);
    }

    @Override
    void clear(long at, int units) {
        if (units != capacity) {
            throw new IllegalArgumentException("contiguous placement: the number of nodes cannot change");
        }
        size = 1;
        time[0] = at;
        Arrays.fill(free[0], -1);
        if ((capacity & 63) != 0) {
            free[0][words - 1] = (1L << capacity) - 1;
        }
    }

    @Override
    void advance(long at) {
        int past = 0;
        while (past + 1 < size && time[past + 1] <= at) {
            past++;
        }
        if (past > 0) {
            removeSegments(0, past);
        }
    }

    @Override
    long hole(long from, long before, int units, long walltime) {
        if (from >= before) {
            return NEVER;
        }
        for (int i = segment(from); i < size; i++) {
            long t = Math.max(from, time[i]);
            if (t >= before) {
                return NEVER;
            }
            int found = blockOver(i, t + walltime, units);
            if (found >= 0) {
                block = found;
                return t;
            }
        }
        return NEVER;
    }

    @Override
    int freeAt(long instant) {
        int count = 0;
        for (long word : free[segment(instant)]) {
            count += Long.bitCount(word);
        }
        return count;
    }

    @Override
    void take(long from, long to, int units, int firstUnit) {
        change(from, to, units, firstUnit, false);
    }

    @Override
    void give(long from, long to, int units, int firstUnit) {
        change(from, to, units, firstUnit, true);
    }

    @Override
    void resize(int change) {
        throw new IllegalArgumentException("contiguous placement: the number of nodes cannot change");
    }

    @Override
    void copyFrom(Profile other) {
        ContiguousProfile o = (ContiguousProfile) other;
        while (time.length < o.size) {
            grow();
        }
        System.arraycopy(o.time, 0, time, 0, o.size);
        for (int i = 0; i < o.size; i++) {
            System.arraycopy(o.free[i], 0, free[i], 0, words);
        }
        size = o.size;
    }

    /** The lowest block that is free from segment {@code i} until an instant; -1 if there is none. */
    private int blockOver(int i, long until, int units) {
        System.arraycopy(free[i], 0, common, 0, words);
        int found = lowestBlock(common, units);
        for (int k = i + 1; found >= 0 && k < size && time[k] < until; k++) {
            for (int w = 0; w < words; w++) {
                common[w] &= free[k][w];
            }
            found = lowestBlock(common, units);
        }
        return found;
    }

    private int lowestBlock(long[] set, int units) {
        int first = next(set, 0, true);
        while (first + units <= capacity) {
            int last = next(set, first, false);
            if (last - first >= units) {
                return first;
            }
            first = next(set, last, true);
        }
        return -1;
    }

    /** The first bit from {@code i} on that has the value; the capacity if there is none. */
    private int next(long[] set, int i, boolean value) {
        int w = i >>> 6;
        if (w >= words) {
            return capacity;
        }
        long word = (value ? set[w] : ~set[w]) & (-1L << i);
        while (word == 0) {
            if (++w == words) {
                return capacity;
            }
            word = value ? set[w] : ~set[w];
        }
        return Math.min(capacity, (w << 6) + Long.numberOfTrailingZeros(word));
    }

    private void change(long from, long to, int units, int firstUnit, boolean toFree) {
        if (from >= to) {
            return;
        }
        int first = cut(from);
        int past = cut(to);
        for (int i = first; i < past; i++) {
            for (int u = firstUnit; u < firstUnit + units; u++) {
                if (toFree) {
                    free[i][u >>> 6] |= 1L << u;
                } else {
                    free[i][u >>> 6] &= ~(1L << u);
                }
            }
        }
        merge(past);
        merge(first);
    }

    private int cut(long instant) {
        int i = segment(instant);
        if (time[i] >= instant) {
            return i;
        }
        if (size == time.length) {
            grow();
        }
        long[] spare = free[size];
        System.arraycopy(time, i + 1, time, i + 2, size - i - 1);
        System.arraycopy(free, i + 1, free, i + 2, size - i - 1);
        size++;
        time[i + 1] = instant;
        free[i + 1] = spare;
        System.arraycopy(free[i], 0, spare, 0, words);
        return i + 1;
    }

    private void merge(int i) {
        if (i > 0 && i < size && Arrays.equals(free[i], free[i - 1])) {
            removeSegments(i, 1);
        }
    }

    /** Removes segments and keeps their sets as spares behind the last one. */
    private void removeSegments(int at, int count) {
        for (int n = 0; n < count; n++) {
            long[] spare = free[at];
            System.arraycopy(time, at + 1, time, at, size - at - 1);
            System.arraycopy(free, at + 1, free, at, size - at - 1);
            size--;
            free[size] = spare;
        }
    }

    private void grow() {
        int n = time.length;
        time = Arrays.copyOf(time, 2 * n);
        free = Arrays.copyOf(free, 2 * n);
        for (int i = n; i < 2 * n; i++) {
            free[i] = new long[words];
        }
    }

    private int segment(long instant) {
        int i = Arrays.binarySearch(time, 0, size, instant);
        return i >= 0 ? i : Math.max(0, -i - 2);
    }
}
