package io.sheaf.batch;

import java.util.Arrays;

/**
 * A log of released blocks of units, which finds where a request may have a new hole since the n-th release.
 *
 * <p>A new hole overlaps a release, so it lies within the time for which units around the release are continuously free. The log stores this range
 * for each width that is a power of two. It stays an upper bound when units are allocated; later releases have entries of their own.
 */
final class BlockReleases {
    private static final int WIDTHS = 31;
    long count;
    private int size;
    private long[] from = new long[16];
    private long[] to = new long[16];
    private int[] firstUnit = new int[16];
    private int[] pastUnit = new int[16];
    /** The number of widths with a block. */
    private int[] widths = new int[16];

    private long[] reachFrom = new long[16 * WIDTHS];
    private long[] reachTo = new long[16 * WIDTHS];

    /** The result: the first and the last instant at which a hole may start. */
    long low;

    long high;

    /** Records units released in [begin, end); they are already free in the profile. */
    void add(ContiguousProfile profile, long begin, long end, int units, int first) {
        if (begin >= end) {
            return;
        }
        if (size == from.length) {
            grow(2 * size);
        }
        from[size] = begin;
        to[size] = end;
        firstUnit[size] = first;
        pastUnit[size] = first + units;
        widths[size] = profile.reach(begin, end, first, first + units, reachFrom, reachTo, size * WIDTHS);
        size++;
        count++;
    }

    /**
     * Finds where a job may start, from {@code bound} to its planned start, because of the n-th release or a later one; empty if {@link #low} exceeds
     * {@link #high}.
     */
    void find(long n, ContiguousProfile profile, long bound, long start, int units, long walltime, int block) {
        low = Long.MAX_VALUE;
        high = Long.MIN_VALUE;
        // A hole may continue in the job's own block, which is not free for other jobs.
        long ownLow = Long.MAX_VALUE;
        long ownHigh = Long.MIN_VALUE;
        int width = 31 - Integer.numberOfLeadingZeros(units);
        for (int i = (int) (n + size - count); i < size; i++) {
            long first = Math.max(bound, from[i] - walltime + 1);
            long last = Math.min(start, to[i] - 1);
            if (first > last) {
                continue;
            }
            boolean reaches = to[i] > start;
            if (width < widths[i]) {
                long reached = reachTo[i * WIDTHS + width];
                add(Math.max(first, reachFrom[i * WIDTHS + width]), Math.min(last, reached - walltime));
                reaches |= reached >= start;
            }
            // A release that ends before the job's start must reach it; a later one may also lie beside the job.
            if (reaches && firstUnit[i] < block + 2 * units && pastUnit[i] > block - units) {
                ownLow = Math.min(ownLow, Math.max(first, start - walltime + 1));
                ownHigh = Math.max(ownHigh, last);
            }
        }
        boolean isCovered = low <= ownLow && ownHigh <= high;
        if (!isCovered && goesOn(profile, ownLow, ownHigh, start, units, block)) {
            add(ownLow, ownHigh);
        }
    }

    /**
     * Whether a job may have a hole that begins in [first, last] and continues in its own block: it is free just before, or a lower unit beside it.
     */
    private static boolean goesOn(ContiguousProfile profile, long first, long last, long start, int units, int block) {
        return (first < start && profile.hasBlock(start - 1, block, block + units, units))
                || (last == start && block > 0 && profile.hasBlock(start, block - 1, block, 1));
    }

    /** Drops entries before the n-th, which are not queried any more. */
    void forgetBefore(long n) {
        take(this, (int) (n + size - count));
    }

    void copyFrom(BlockReleases o) {
        if (from.length < o.size) {
            grow(o.from.length);
        }
        take(o, 0);
        count = o.count;
    }

    private void take(BlockReleases o, int skipped) {
        size = o.size - skipped;
        System.arraycopy(o.from, skipped, from, 0, size);
        System.arraycopy(o.to, skipped, to, 0, size);
        System.arraycopy(o.firstUnit, skipped, firstUnit, 0, size);
        System.arraycopy(o.pastUnit, skipped, pastUnit, 0, size);
        System.arraycopy(o.widths, skipped, widths, 0, size);
        System.arraycopy(o.reachFrom, skipped * WIDTHS, reachFrom, 0, size * WIDTHS);
        System.arraycopy(o.reachTo, skipped * WIDTHS, reachTo, 0, size * WIDTHS);
    }

    private void add(long first, long last) {
        if (first <= last) {
            low = Math.min(low, first);
            high = Math.max(high, last);
        }
    }

    private void grow(int n) {
        from = Arrays.copyOf(from, n);
        to = Arrays.copyOf(to, n);
        firstUnit = Arrays.copyOf(firstUnit, n);
        pastUnit = Arrays.copyOf(pastUnit, n);
        widths = Arrays.copyOf(widths, n);
        reachFrom = Arrays.copyOf(reachFrom, n * WIDTHS);
        reachTo = Arrays.copyOf(reachTo, n * WIDTHS);
    }
}
