package io.sheaf.batch;

import static io.sheaf.batch.BatchScheduler.NEVER;

import java.util.Arrays;

/**
 * What one sweep learnt about holes: for each class of sizes, an instant before which no hole starts for even the smallest
 * request of the class, and so for none.
 *
 * <p>Classes are powers of two in width and in length. A floor stays true when units are taken. When units are given back, only
 * holes that contain some of that span are new, so the runs of free units around the span tell which floors to lower.
 */
final class Floors {
    private static final int LENGTHS = 51;
    private static final int WIDTHS = 31;
    private final long[] floor = new long[WIDTHS * LENGTHS];
    /** Classes beyond these were not asked for, so nothing is known of them. */
    private int widest;

    private int shortest;

    /** Nothing is known but that no hole starts before an instant. */
    void reset(long at) {
        Arrays.fill(floor, at);
        widest = 0;
        shortest = LENGTHS;
    }

    /** An instant, up to {@code high}, before which no hole of this size starts. */
    long raise(CountedProfile profile, int units, long walltime, long high) {
        int width = log(units);
        int length = log(walltime);
        int c = width * LENGTHS + length;
        long known = floor[c];
        // What has no hole for a smaller request has none for this one.
        if (width > 0) {
            known = Math.max(known, floor[c - LENGTHS]);
        }
        if (length > 0) {
            known = Math.max(known, floor[c - 1]);
        }
        if (known < high) {
            long hole = profile.hole(known, high, 1 << width, 1L << length);
            known = Math.min(hole, high);
        }
        floor[c] = known;
        widest = Math.max(widest, width);
        shortest = Math.min(shortest, length);
        return known;
    }

    /** The widest class that anything is known of. */
    int widest() {
        return widest;
    }

    /** There is a run of free units of a class of widths, some of them given back just now. */
    void lower(int width, long begin, long end) {
        int longest = end == NEVER ? LENGTHS - 1 : Math.min(LENGTHS - 1, log(end - begin));
        for (int c = width * LENGTHS + shortest; c <= width * LENGTHS + longest; c++) {
            floor[c] = Math.min(floor[c], begin);
        }
    }

    private static int log(long size) {
        return 63 - Long.numberOfLeadingZeros(size);
    }
}
