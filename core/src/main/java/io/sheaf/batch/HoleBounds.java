package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/**
 * Lower bounds on the starts of holes, learned in one sweep, by classes of sizes: where a request has no hole, a wider and longer one has
 * none either.
 *
 * <p>There is one class for each doubling of the width and two for each of the length. Each has a <em>floor</em>, an instant before which
 * no hole starts for its smallest request, and one <em>fact</em>, the same for the request checked last. Both stay true when units are
 * allocated. When units are released, only holes that overlap that span are new, so the runs of free units around it determine what to
 * lower. Most runs are too short for the classes with later floors, which one comparison decides.
 */
final class HoleBounds {
    private static final int LENGTHS = 102;
    private static final int WIDTHS = 31;
    private final long[] floor = new long[WIDTHS * LENGTHS];
    private final int[] factUnits = new int[WIDTHS * LENGTHS];
    private final long[] factWalltime = new long[WIDTHS * LENGTHS];
    private final long[] factFloor = new long[WIDTHS * LENGTHS];
    /** No floor and no fact of this width, and of this length or a shorter one, is later. */
    private final long[] latest = new long[WIDTHS * LENGTHS];
    /** The profile index at which the last search for the class ended: a hint. */
    private final int[] near = new int[WIDTHS * LENGTHS];
    /** Classes beyond these were not requested and have no bound. */
    int widest;

    private int shortest;
    private long begun;

    /** Resets all bounds to an instant. */
    void reset(long at) {
        Arrays.fill(floor, at);
        Arrays.fill(factFloor, at);
        Arrays.fill(latest, at);
        begun = at;
        widest = 0;
        shortest = LENGTHS;
    }

    /** An instant, up to {@code high}, before which no hole of this size starts. */
    long raise(CountedProfile profile, int units, long walltime, long high) {
        int c = classOf(units, walltime);
        int width = c / LENGTHS;
        int length = c % LENGTHS;
        if (factFloor[c] >= high && factUnits[c] <= units && factWalltime[c] <= walltime) {
            return high;
        }
        long bound = floor[c];
        // If a smaller request has no hole, this one has none.
        if (width > 0) {
            bound = Math.max(bound, floor[c - LENGTHS]);
        }
        if (length > 0) {
            bound = Math.max(bound, floor[c - 1]);
        }
        if (bound < high) {
            profile.searched = near[c];
            bound = Math.min(high, profile.hole(bound, high, 1 << width, shortestOf(length)));
            near[c] = profile.searched;
        }
        floor[c] = bound;
        raised(c, bound);
        return factUnits[c] <= units && factWalltime[c] <= walltime ? Math.max(bound, factFloor[c]) : bound;
    }

    /** Records that no hole of this size starts before an instant. */
    void note(int units, long walltime, long instant) {
        int c = classOf(units, walltime);
        if (factFloor[c] < instant || factUnits[c] > units || factWalltime[c] > walltime) {
            factUnits[c] = units;
            factWalltime[c] = walltime;
            factFloor[c] = instant;
            raised(c, instant);
        }
    }

    /** Lowers the bounds for a run of free units, of a class's smallest width, that overlaps a release. */
    void lower(int units, long begin, long end) {
        int width = log(units);
        long run = end == NEVER ? NEVER : end - begin;
        int longest = width * LENGTHS + Math.min(LENGTHS - 1, lengthOf(run));
        if (latest[longest] <= Math.max(begin, begun)) {
            return;
        }
        for (int c = width * LENGTHS + shortest; c <= longest; c++) {
            floor[c] = Math.min(floor[c], begin);
            if (factWalltime[c] <= run) {
                factFloor[c] = Math.min(factFloor[c], begin);
            }
        }
    }

    private void raised(int c, long instant) {
        int past = c - c % LENGTHS + LENGTHS;
        for (int i = c; i < past && latest[i] < instant; i++) {
            latest[i] = instant;
        }
    }

    /** The class of a size; marks it as requested. */
    private int classOf(int units, long walltime) {
        int width = log(units);
        int length = lengthOf(walltime);
        widest = Math.max(widest, 1 << width);
        shortest = Math.min(shortest, length);
        return width * LENGTHS + length;
    }

    /** The class of a length: the power of two below it, and whether it is beyond the middle to the next. */
    private static int lengthOf(long time) {
        int log = log(time);
        return 2 * log + (int) (((2 * time) >>> log) & 1);
    }

    private static long shortestOf(int length) {
        return ((2L + (length & 1)) << (length >> 1)) >> 1;
    }

    private static int log(long size) {
        return 63 - Long.numberOfLeadingZeros(size);
    }
}
