package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/**
 * The jobs in the system as columns; a job's handle is its row. Rows of removed jobs are reused, the lowest first, so that the table stays short and
 * forks are cheap.
 */
final class JobTable {
    static final byte FREE = 0;
    static final byte QUEUED = 1;
    static final byte RUNNING = 2;
    static final int NONE = -1;

    int[] units = new int[16];
    int[] user = new int[16];
    int[] pool = new int[16];
    int[] after = new int[16];
    int[] block = new int[16];
    long[] walltime = new long[16];
    /** On each unit, in bytes; 0 if memory is not counted. */
    long[] memory = new long[16];

    long[] submit = new long[16];
    long[] rank = new long[16];
    long[] sequence = new long[16];
    long[] priority = new long[16];
    long[] notBefore = new long[16];
    /** Of a queued job the planned start or NEVER; of a running one the start. */
    long[] start = new long[16];
    /** Of a running job: its latest expected end. */
    long[] end = new long[16];
    /** The last release up to which this job is known to have no earlier hole; -1 if unknown. */
    long[] checked = new long[16];
    /** Index hints of the planned start and end in the profile; may be outdated. */
    int[] nearStart = new int[16];

    int[] nearEnd = new int[16];

    byte[] state = new byte[16];
    boolean[] reserving = new boolean[16];
    /** Whether only the plan delays the job: no dependency and no earliest start in the future. */
    boolean[] isFree = new boolean[16];

    /** Rows from here on are free. */
    int top;

    /** The number of jobs that are not free. */
    int conditioned;

    /** The number of jobs that depend on another. */
    int dependents;

    /** No row below is free. */
    private int lowestFree;

    private long nextSequence;

    /** Stores a job as queued and not planned. */
    int add(long at, Submission s, QueueOrder order) {
        int j = lowestFree;
        if (j == state.length) {
            grow(2 * j);
        }
        units[j] = s.units;
        user[j] = s.user;
        pool[j] = s.pool;
        after[j] = s.after;
        dependents += s.after >= 0 ? 1 : 0;
        block[j] = 0;
        walltime[j] = s.walltime;
        submit[j] = s.submitted == Long.MIN_VALUE ? at : s.submitted;
        rank[j] = order.rank(submit[j], s.units, s.walltime, s.priority);
        sequence[j] = nextSequence++;
        priority[j] = s.priority;
        notBefore[j] = s.notBefore;
        start[j] = NEVER;
        end[j] = NEVER;
        checked[j] = -1;
        state[j] = QUEUED;
        reserving[j] = s.reserving;
        isFree[j] = s.after < 0 && s.notBefore <= at;
        conditioned += isFree[j] ? 0 : 1;
        top = Math.max(top, j + 1);
        do {
            lowestFree++;
        } while (lowestFree < top && state[lowestFree] != FREE);
        return j;
    }

    void remove(int j) {
        state[j] = FREE;
        conditioned -= isFree[j] ? 0 : 1;
        if (after[j] >= 0) {
            dependents--;
        }
        lowestFree = Math.min(lowestFree, j);
        while (top > 0 && state[top - 1] == FREE) {
            top--;
        }
        lowestFree = Math.min(lowestFree, top);
    }

    boolean isPlanned(int j) {
        return start[j] != NEVER;
    }

    /** The planned end of a job; NEVER if unknown. */
    long plannedEnd(int j) {
        if (state[j] == RUNNING) {
            return end[j];
        }
        return start[j] == NEVER ? NEVER : start[j] + walltime[j];
    }

    void check(int j, byte expected) {
        if (j < 0 || j >= top || state[j] != expected) {
            throw new IllegalArgumentException(
                    "handle " + j + " is not that of a " + (expected == QUEUED ? "queued" : "running") + " job");
        }
    }

    void copyFrom(JobTable o) {
        int n = o.top;
        if (state.length < n) {
            grow(o.state.length);
        }
        if (top > n) {
            Arrays.fill(state, n, top, FREE);
        }
        System.arraycopy(o.units, 0, units, 0, n);
        System.arraycopy(o.user, 0, user, 0, n);
        System.arraycopy(o.pool, 0, pool, 0, n);
        System.arraycopy(o.after, 0, after, 0, n);
        System.arraycopy(o.block, 0, block, 0, n);
        System.arraycopy(o.walltime, 0, walltime, 0, n);
        System.arraycopy(o.memory, 0, memory, 0, n);
        System.arraycopy(o.submit, 0, submit, 0, n);
        System.arraycopy(o.rank, 0, rank, 0, n);
        System.arraycopy(o.sequence, 0, sequence, 0, n);
        System.arraycopy(o.priority, 0, priority, 0, n);
        System.arraycopy(o.notBefore, 0, notBefore, 0, n);
        System.arraycopy(o.start, 0, start, 0, n);
        System.arraycopy(o.end, 0, end, 0, n);
        System.arraycopy(o.checked, 0, checked, 0, n);
        System.arraycopy(o.state, 0, state, 0, n);
        System.arraycopy(o.reserving, 0, reserving, 0, n);
        System.arraycopy(o.isFree, 0, isFree, 0, n);
        top = n;
        dependents = o.dependents;
        conditioned = o.conditioned;
        lowestFree = o.lowestFree;
        nextSequence = o.nextSequence;
    }

    private void grow(int n) {
        units = Arrays.copyOf(units, n);
        user = Arrays.copyOf(user, n);
        pool = Arrays.copyOf(pool, n);
        after = Arrays.copyOf(after, n);
        block = Arrays.copyOf(block, n);
        nearStart = Arrays.copyOf(nearStart, n);
        nearEnd = Arrays.copyOf(nearEnd, n);
        walltime = Arrays.copyOf(walltime, n);
        memory = Arrays.copyOf(memory, n);
        submit = Arrays.copyOf(submit, n);
        rank = Arrays.copyOf(rank, n);
        sequence = Arrays.copyOf(sequence, n);
        priority = Arrays.copyOf(priority, n);
        notBefore = Arrays.copyOf(notBefore, n);
        start = Arrays.copyOf(start, n);
        end = Arrays.copyOf(end, n);
        checked = Arrays.copyOf(checked, n);
        state = Arrays.copyOf(state, n);
        reserving = Arrays.copyOf(reserving, n);
        isFree = Arrays.copyOf(isFree, n);
    }
}
