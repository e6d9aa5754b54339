package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/**
 * Backfilling with a finite reservation depth k (EASY is 1), or none (FCFS).
 *
 * <p>Each pass drops the reservations of the last one and iterates over the queue in order. A job that fits now starts. The first k that do
 * not fit get the first hole that fits; jobs behind them start only if they delay no reservation. Under FCFS the first job that does not
 * fit ends the pass. With {@link Pools}, both hold for the jobs of each pool; a reservation holds its nodes for all.
 *
 * <h2>What is not repeated</h2>
 * While nothing was released and no reservation is due, a job that could not start still cannot, and the
 * reservations would be the same. Then a pass checks only jobs that arrived since, which are behind the rest. (Not so with dependents in
 * front of their predecessor, or an order that changes with usage.)
 */
final class DepthPlan extends QueuePlan {
    private boolean dirty = true;
    /** Number of jobs at the front of the queue that the last pass checked. */
    private int scanned;

    private int reserved;
    /** Under FCFS without pools: whether a job could not start at the last pass, so that no later one can. */
    boolean blocked;

    /** A request that did not fit at the last pass; of unlimited width if there is none. */
    private int failedUnits = Integer.MAX_VALUE;

    private long failedWalltime;
    private long failedMemory;

    /** Of each pool, if there are any: the number of reservations, and under FCFS whether a job could not start. */
    private final int[] reservedIn;

    private final boolean[] blockedIn;

    DepthPlan(Policy policy, int size) {
        super(policy, size);
        reservedIn = new int[policy.pools().count() + 1];
        blockedIn = new boolean[reservedIn.length];
    }

    @Override
    void arrived(int job, int position, long at) {
        if (position < scanned) {
            dirty = true;
        }
    }

    @Override
    void freed(long from, long to, int units, int block, long at) {
        dirty = true;
    }

    @Override
    void replan(long at) {
        dirty = true;
    }

    @Override
    boolean wouldStart(long at, int pool, int units, long walltime, long perUnit) {
        return !blocked && !blockedIn[pool] && super.wouldStart(at, pool, units, walltime, perUnit);
    }

    @Override
    int pass(long at, int[] started) {
        if (dirty || at >= nextPass || jobs.dependents > 0 || isOrderDue(at)) {
            restart(at);
        }
        int count = 0;
        while (!blocked && skipHopeless(at) < queue.size) {
            int j = queue.order[scanned];
            if (!tryNow(j, at)) {
                scanned++;
            } else if (isExceededBy(j, at) || jobs.after[j] >= 0) {
                // A running job has exceeded its walltime.
                repair(at);
                restart(at);
            } else {
                plan(j, at);
                begin(j, at);
                queue.removeAt(scanned);
                started[count++] = j;
            }
        }
        return count;
    }

    /**
     * Advances to the next job that may start or get a reservation, and returns its position. Once all reservations are made, a job cannot
     * start that needs more than is free, or no less than one that did not fit at this pass.
     */
    private int skipHopeless(long at) {
        if (reserved < policy.depth() || policy.depth() == Policy.FCFS || hasPools()) {
            return scanned;
        }
        int free = profile.freeAt(at);
        if (free <= 0 && jobs.conditioned == 0) {
            scanned = queue.size;
        }
        while (scanned < queue.size) {
            int j = queue.order[scanned];
            boolean hopeless = jobs.units[j] > free
                    || (jobs.units[j] >= failedUnits
                            && jobs.walltime[j] >= failedWalltime
                            && jobs.memory[j] >= failedMemory);
            if (!hopeless || !jobs.isFree[j]) {
                break;
            }
            scanned++;
        }
        return scanned;
    }

    private void restart(long at) {
        refreshOrder(at);
        for (int i = 0; planned > 0 && i < queue.size; i++) {
            int j = queue.order[i];
            if (jobs.isPlanned(j)) {
                unplan(j);
            }
        }
        reserved = 0;
        scanned = 0;
        blocked = false;
        if (hasPools()) {
            Arrays.fill(reservedIn, 0);
            Arrays.fill(blockedIn, false);
        }
        failedUnits = Integer.MAX_VALUE;
        nextPass = nextReservationEnd(at);
        dirty = false;
    }

    /** Whether a job can start now; if it cannot, it may get a reservation. */
    private boolean tryNow(int j, long at) {
        if (jobs.notBefore[j] > at) {
            nextPass = Math.min(nextPass, jobs.notBefore[j]);
            return false;
        }
        if (!isPlannable(j) || (policy.depth() == Policy.FCFS && (jobs.after[j] >= 0 || blockedIn[jobs.pool[j]]))) {
            return false;
        }
        long bound = bound(j, at);
        int reservations = hasPools() ? reservedIn[jobs.pool[j]] : reserved;
        long before = reservations < policy.depth() ? NEVER : at + 1;
        long start = hole(j, bound, before);
        if (start == at) {
            return true;
        }
        if (bound == at) {
            failedUnits = jobs.units[j];
            failedWalltime = jobs.walltime[j];
            failedMemory = jobs.memory[j];
        }
        if (policy.depth() == Policy.FCFS) {
            blocked = !hasPools();
            blockedIn[jobs.pool[j]] = hasPools();
        } else if (start != NEVER) {
            plan(j, start);
            reserved++;
            reservedIn[jobs.pool[j]]++;
            nextPass = Math.min(nextPass, start);
        }
        return false;
    }

    @Override
    void copyFrom(QueuePlan other) {
        super.copyFrom(other);
        DepthPlan o = (DepthPlan) other;
        dirty = o.dirty;
        scanned = o.scanned;
        reserved = o.reserved;
        blocked = o.blocked;
        System.arraycopy(o.reservedIn, 0, reservedIn, 0, reservedIn.length);
        System.arraycopy(o.blockedIn, 0, blockedIn, 0, blockedIn.length);
        failedUnits = o.failedUnits;
        failedWalltime = o.failedWalltime;
        failedMemory = o.failedMemory;
    }
}
