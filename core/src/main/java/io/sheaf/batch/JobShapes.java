package io.sheaf.batch;

import java.util.Arrays;

/** Jobs that would be submitted: pool, units and walltime of each, and the memory of all on each unit. Reusable: {@link #clear} removes all jobs. */
public final class JobShapes {
    private int count;
    private int[] pools = new int[4];
    private int[] units = new int[4];
    private long[] walltimes = new long[4];
    private long memory;

    public JobShapes clear() {
        count = 0;
        memory = 0;
        return this;
    }

    /** Adds a job, in a pool if the cluster has pools, with a walltime in milliseconds. */
    public JobShapes add(int pool, int size, long walltime) {
        if (count == units.length) {
            int room = 2 * count;
            pools = Arrays.copyOf(pools, room);
            units = Arrays.copyOf(units, room);
            walltimes = Arrays.copyOf(walltimes, room);
        }
        pools[count] = pool;
        units[count] = size;
        walltimes[count++] = walltime;
        return this;
    }

    /** Sets the memory that each job requests on each unit, in bytes; 0 if unknown. */
    public JobShapes needing(long perUnit) {
        memory = perUnit;
        return this;
    }

    public int count() {
        return count;
    }

    public int pool(int job) {
        return pools[job];
    }

    public int units(int job) {
        return units[job];
    }

    public long walltime(int job) {
        return walltimes[job];
    }

    public long memory() {
        return memory;
    }
}
