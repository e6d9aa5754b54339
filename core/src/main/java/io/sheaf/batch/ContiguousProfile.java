package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/**
 * Free units by number over time: a job needs one block of consecutive numbers for its whole walltime, and gets the lowest. Stricter and
 * slower than counting, as in some schedulers.
 *
 * <p>Each segment of time has a bit set of free units. A search converts each set to the units at which a free block of the width begins.
 * Several segments are then a plain intersection, whose lowest bit is the answer; if it becomes empty, every hole starts after the last
 * intersected segment.
 */
final class ContiguousProfile extends AvailabilityProfile {
    private final int capacity;
    private final int words;
    private long[] time = new long[64];
    /** The sets of the segments, {@code words} of each, behind one another. */
    private long[] free;

    /** State of the current search: starts of blocks in each segment, and in all intersected ones. */
    private long[] begins;

    private final long[] common;
    private final long[] reaching;
    private int size;

    ContiguousProfile(int capacity) {
        this.capacity = capacity;
        words = (capacity + 63) >>> 6;
        common = new long[words];
        reaching = new long[words];
        free = new long[64 * words];
        begins = new long[64 * words];
        clear(Long.MIN_VALUE, capacity);
    }

    @Override
    void clear(long at, int units) {
        if (units != capacity) {
            throw new IllegalArgumentException("contiguous placement: the number of nodes cannot change");
        }
        size = 1;
        time[0] = at;
        Arrays.fill(free, 0, words, -1);
        if ((capacity & 63) != 0) {
            free[words - 1] = (1L << capacity) - 1;
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
        int i = segment(from);
        // All starts before i are excluded; the segments from i to k are intersected.
        int k = i;
        Arrays.fill(common, -1);
        while (i < size) {
            long t = Math.max(from, time[i]);
            if (t >= before) {
                return NEVER;
            }
            boolean fits = true;
            while (fits && k < size && (k == i || time[k] < t + walltime)) {
                fits = find(k, units);
                k++;
            }
            if (fits) {
                block = lowest();
                return t;
            }
            i = lastWithoutBlock(k - 1) + 1;
        }
        return NEVER;
    }

    /**
     * Over the blocks of 1, 2, 4 … units that contain a unit of [firstUnit, pastUnit) and are free at some instant of [from, to): the
     * longest span in which one of them is free without a break. Returns the number of widths with such a block.
     *
     * @param offset index of width 1 in the arrays
     */
    int reach(long from, long to, int firstUnit, int pastUnit, long[] since, long[] until, int offset) {
        int first = segment(from);
        int past = first + 1;
        while (past < size && time[past] < to) {
            past++;
        }
        // A wider block reaches no further than a narrower one within it.
        int low = 0;
        int high = size;
        System.arraycopy(free, 0, begins, 0, size * words);
        for (int width = 0; 1 << width <= capacity; width++) {
            for (int k = low; width > 0 && k < high; k++) {
                narrow(k * words, 1 << (width - 1));
            }
            findReaching(first, past, Math.max(0, firstUnit - (1 << width) + 1), pastUnit);
            if (isEmpty(reaching)) {
                return width;
            }
            System.arraycopy(reaching, 0, common, 0, words);
            int i = first;
            while (i > low && intersect(i - 1)) {
                i--;
            }
            System.arraycopy(reaching, 0, common, 0, words);
            int k = past;
            while (k < high && intersect(k)) {
                k++;
            }
            low = i;
            high = k;
            since[offset + width] = time[low];
            until[offset + width] = high == size ? NEVER : time[high];
        }
        return 32 - Integer.numberOfLeadingZeros(capacity);
    }

    /** Collects the blocks of some segments that begin at some units. */
    private void findReaching(int first, int past, int firstUnit, int pastUnit) {
        for (int w = 0; w < words; w++) {
            long any = 0;
            for (int i = first * words + w; i < past * words; i += words) {
                any |= begins[i];
            }
            reaching[w] = any & mask(w, firstUnit, pastUnit);
        }
    }

    /** Whether a block of this width, with at least one unit in [firstUnit, pastUnit), is free at an instant. */
    boolean hasBlock(long instant, int firstUnit, int pastUnit, int units) {
        int i = segment(instant);
        findBegins(i, units);
        for (int w = 0; w < words; w++) {
            if ((begins[i * words + w] & mask(w, Math.max(0, firstUnit - units + 1), pastUnit)) != 0) {
                return true;
            }
        }
        return false;
    }

    @Override
    int freeAt(long instant) {
        int count = 0;
        int first = segment(instant) * words;
        for (int w = first; w < first + words; w++) {
            count += Long.bitCount(free[w]);
        }
        return count;
    }

    @Override
    void allocate(long from, long to, int units, int firstUnit) {
        change(from, to, units, firstUnit, false);
    }

    @Override
    void release(long from, long to, int units, int firstUnit) {
        change(from, to, units, firstUnit, true);
    }

    @Override
    void copyFrom(AvailabilityProfile other) {
        ContiguousProfile o = (ContiguousProfile) other;
        if (time.length < o.size) {
            grow(o.time.length);
        }
        System.arraycopy(o.time, 0, time, 0, o.size);
        System.arraycopy(o.free, 0, free, 0, o.size * words);
        size = o.size;
    }

    /** Finds the units of segment k at which a free block of this width begins, in steps of doubled width. */
    private void findBegins(int k, int units) {
        int base = k * words;
        if (words == 2) {
            findBeginsOfTwo(base, units);
            return;
        }
        System.arraycopy(free, base, begins, base, words);
        int wide = 1;
        while (wide < units) {
            int step = Math.min(wide, units - wide);
            narrow(base, step);
            wide += step;
        }
    }

    /** Computes the starts of blocks that are wider by {@code step}, at most twice as wide. */
    private void narrow(int base, int step) {
        int far = step >>> 6;
        for (int w = 0; w < words; w++) {
            long shifted = w + far < words ? begins[base + w + far] >>> step : 0;
            if ((step & 63) != 0 && w + far + 1 < words) {
                shifted |= begins[base + w + far + 1] << -step;
            }
            begins[base + w] &= shifted;
        }
    }

    /** The same for the most frequent sizes, without a loop over words. */
    private void findBeginsOfTwo(int base, int units) {
        long low = free[base];
        long high = free[base + 1];
        int wide = 1;
        while (wide < units && (low | high) != 0) {
            int step = Math.min(wide, units - wide);
            if (step == 64) {
                low &= high;
                high = 0;
            } else {
                low &= (low >>> step) | (high << -step);
                high &= high >>> step;
            }
            wide += step;
        }
        begins[base] = low;
        begins[base + 1] = high;
    }

    /** Intersects with segment k. Returns whether any start remains. */
    private boolean intersect(int k) {
        long any = 0;
        for (int w = 0; w < words; w++) {
            common[w] &= begins[k * words + w];
            any |= common[w];
        }
        return any != 0;
    }

    /** The last segment i such that those from i to k have no common block; after it, {@code common} is the intersection up to k. */
    private int lastWithoutBlock(int k) {
        Arrays.fill(common, -1);
        int i = k;
        while (meets(i)) {
            intersect(i);
            i--;
        }
        return i;
    }

    /** Intersects with the starts of blocks of this width in segment k; returns whether anything remains. */
    private boolean find(int k, int units) {
        findBegins(k, units);
        return intersect(k);
    }

    private static boolean isEmpty(long[] set) {
        long any = 0;
        for (long word : set) {
            any |= word;
        }
        return any == 0;
    }

    private boolean meets(int k) {
        long any = 0;
        for (int w = 0; w < words; w++) {
            any |= common[w] & begins[k * words + w];
        }
        return any != 0;
    }

    private int lowest() {
        int w = 0;
        while (common[w] == 0) {
            w++;
        }
        return (w << 6) + Long.numberOfTrailingZeros(common[w]);
    }

    private void change(long from, long to, int units, int firstUnit, boolean toFree) {
        if (from >= to) {
            return;
        }
        int first = cut(from);
        int past = cut(to);
        int pastUnit = firstUnit + units;
        for (int w = firstUnit >>> 6; w << 6 < pastUnit; w++) {
            long mask = mask(w, firstUnit, pastUnit);
            for (int i = first * words + w; i < past * words; i += words) {
                free[i] = toFree ? free[i] | mask : free[i] & ~mask;
            }
        }
        merge(past);
        merge(first);
    }

    /** The bits of a word for units of [first, past). */
    private static long mask(int word, int first, int past) {
        int low = Math.max(0, first - (word << 6));
        int high = Math.min(64, past - (word << 6));
        return low >= high ? 0 : (-1L << low) & (-1L >>> (64 - high));
    }

    private int cut(long instant) {
        int i = segment(instant);
        if (time[i] >= instant) {
            return i;
        }
        if (size == time.length) {
            grow(2 * size);
        }
        System.arraycopy(time, i + 1, time, i + 2, size - i - 1);
        System.arraycopy(free, i * words, free, (i + 1) * words, (size - i) * words);
        size++;
        time[i + 1] = instant;
        return i + 1;
    }

    private void merge(int i) {
        if (i > 0 && i < size) {
            for (int w = i * words; w < (i + 1) * words; w++) {
                if (free[w] != free[w - words]) {
                    return;
                }
            }
            removeSegments(i, 1);
        }
    }

    private void removeSegments(int at, int count) {
        size -= count;
        System.arraycopy(time, at + count, time, at, size - at);
        System.arraycopy(free, (at + count) * words, free, at * words, (size - at) * words);
    }

    private void grow(int n) {
        time = Arrays.copyOf(time, n);
        free = Arrays.copyOf(free, n * words);
        begins = new long[n * words];
    }

    private int segment(long instant) {
        int low = 0;
        int count = size;
        while (count > 1) {
            int half = count >>> 1;
            // Written so that it compiles to a conditional move: the outcome cannot be predicted.
            low = time[low + half] <= instant ? low + half : low;
            count -= half;
        }
        return low;
    }
}
