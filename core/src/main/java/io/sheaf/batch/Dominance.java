package io.sheaf.batch;

import java.util.Arrays;

/**
 * What one sweep learnt about holes: a request that has no hole before some instant tells that a request at least as wide
 * and as long has none either.
 *
 * <p>One such fact is kept for each class of similar sizes (powers of two), the latest. A fact stays true when units are taken;
 * when units are given back from an instant a on, holes that contain a may appear, so it holds up to a less the walltime.
 */
final class Dominance {
    private static final int LENGTHS = 64;
    private final int[] units = new int[32 * LENGTHS];
    private final long[] walltime = new long[32 * LENGTHS];
    private final long[] before = new long[32 * LENGTHS];
    private final long[] known = new long[32 * LENGTHS];
    private final int[] used = new int[32 * LENGTHS];
    private int facts;

    Dominance() {
        Arrays.fill(units, Integer.MAX_VALUE);
    }

    void clear() {
        for (int i = 0; i < facts; i++) {
            units[used[i]] = Integer.MAX_VALUE;
        }
        facts = 0;
    }

    /** Notes that there is no hole of this size before an instant, in the profile as it is. */
    void note(int width, long length, long instant, Releases releases) {
        int c = sizeClass(width, length);
        if (units[c] == Integer.MAX_VALUE) {
            used[facts++] = c;
        } else if (units[c] <= width && walltime[c] <= length && before[c] >= instant && known[c] == releases.count()) {
            return;
        }
        units[c] = width;
        walltime[c] = length;
        before[c] = instant;
        known[c] = releases.count();
    }

    /** An instant before which no hole of this size starts. */
    long floor(int width, long length, Releases releases) {
        int c = sizeClass(width, length);
        return units[c] <= width && walltime[c] <= length ? floorOf(c, length, releases) : Long.MIN_VALUE;
    }

    private long floorOf(int c, long length, Releases releases) {
        return Math.min(before[c], releases.firstSince(known[c]) - length + 1);
    }

    private static int sizeClass(int width, long length) {
        return (31 - Integer.numberOfLeadingZeros(width)) * LENGTHS + 63 - Long.numberOfLeadingZeros(length);
    }
}
