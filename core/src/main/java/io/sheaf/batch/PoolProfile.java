package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/** Free units over time of a cluster with {@link Pools}: a {@link CountedProfile} for each cell, and the units of each job in each cell. */
final class PoolProfile extends AvailabilityProfile {
    private final Pools pools;
    private final CountedProfile[] cells;
    /** The units of the job with handle j in cell c, at j · cells + c. */
    private int[] held;
    /** The units in each cell of the hole that the last search found. */
    private final int[] found;

    PoolProfile(Pools pools) {
        this.pools = pools;
        cells = new CountedProfile[pools.cells.length];
        Arrays.setAll(cells, cell -> new CountedProfile(pools.cells[cell]));
        held = new int[16 * cells.length];
        found = new int[cells.length];
    }

    @Override
    void advance(long at) {
        for (CountedProfile cell : cells) {
            cell.advance(at);
        }
    }

    @Override
    void clear(long at, int capacity) {
        for (int c = 0; c < cells.length; c++) {
            cells[c].clear(at, pools.cells[c]);
        }
    }

    @Override
    long hole(long from, long before, int units, long walltime) {
        return hole(Pools.ANY, from, before, units, walltime);
    }

    @Override
    long hole(int pool, long from, long before, int units, long walltime) {
        int[] own = pools.cellsOf[pool];
        if (own.length == 1) {
            long start = cells[own[0]].hole(from, before, units, walltime);
            Arrays.fill(found, 0);
            found[own[0]] = units;
            return start;
        }
        for (long t = from; t < before; ) {
            int remaining = units;
            for (int c : own) {
                remaining -= Math.max(0, cells[c].freeAt(t));
            }
            if (remaining <= 0 && place(own, t, units, walltime)) {
                return t;
            }
            long next = NEVER;
            for (int c : own) {
                next = Math.min(next, cells[c].changeAfter(t));
            }
            t = next;
        }
        return NEVER;
    }

    /** Distributes units over cells, in this order. Returns whether they are free for the walltime. */
    private boolean place(int[] own, long t, int units, long walltime) {
        Arrays.fill(found, 0);
        int remaining = units;
        for (int c : own) {
            found[c] = Math.min(remaining, Math.max(0, cells[c].minFree(t, t + walltime)));
            remaining -= found[c];
        }
        return remaining == 0;
    }

    /** Records that a job takes the last hole that was found. */
    @Override
    int keep(int job) {
        int at = job * cells.length;
        if (held.length < at + cells.length) {
            held = Arrays.copyOf(held, 2 * (at + cells.length));
        }
        System.arraycopy(found, 0, held, at, cells.length);
        return job;
    }

    @Override
    int freeAt(long instant) {
        int sum = 0;
        for (CountedProfile cell : cells) {
            sum += cell.freeAt(instant);
        }
        return sum;
    }

    /** Takes the units of a job by its handle, or those of a reservation by −1 − its pool. */
    @Override
    void allocate(long from, long to, int units, int job) {
        add(from, to, units, job, -1);
    }

    @Override
    void release(long from, long to, int units, int job) {
        add(from, to, units, job, 1);
    }

    private void add(long from, long to, int units, int job, int sign) {
        int remaining = units;
        int[] order = job < 0 ? pools.cellsOf[-1 - job] : pools.cellsOf[Pools.ANY];
        for (int c : order) {
            int taken = job < 0 ? Math.min(remaining, pools.cells[c]) : held[job * cells.length + c];
            remaining -= taken;
            if (taken > 0 && sign < 0) {
                cells[c].allocate(from, to, taken, 0);
            } else if (taken > 0) {
                cells[c].release(from, to, taken, 0);
            }
        }
    }

    @Override
    void copyFrom(AvailabilityProfile other) {
        PoolProfile o = (PoolProfile) other;
        for (int c = 0; c < cells.length; c++) {
            cells[c].copyFrom(o.cells[c]);
        }
        if (held.length < o.held.length) {
            held = new int[o.held.length];
        }
        System.arraycopy(o.held, 0, held, 0, o.held.length);
    }
}
