package io.sheaf.batch;

import static io.sheaf.batch.BatchScheduler.NEVER;

import java.util.Arrays;

/**
 * A {@link ForwardSimulation} that is recorded: when each job starts and, after each pass, how many units are free for how long.
 *
 * <p>It is run as far as it is asked for and kept until the engine changes. A decision asks for dozens of shapes and for queued jobs. One record answers all of
 * them: a job that is last in the queue order starts at the first pass after which enough units are free for long enough.
 *
 * <p>Only for finite depth, the order of arrival and units that are counted; the caller checks that.
 */
final class RecordedSimulation {
    private final ForwardSimulation forward;
    private long stamp = -1;
    private long from = NEVER;
    private long next = NEVER;

    /** By handle when a job starts; NEVER as long as that is not known. */
    private long[] startOf = new long[16];

    /** The passes: when, and where their stairs begin. The last one's end where those of the next would begin. */
    private int passes;

    private long[] time = new long[64];
    private int[] firstStair = new int[65];

    /** After a pass so many units are free, from then on until the next stair; fewer from stair to stair. The last one of a pass never ends. */
    private int[] free = new int[64];

    private long[] until = new long[64];

    /** On an engine that is used for nothing else. */
    RecordedSimulation(BatchEngine scratch) {
        forward = new ForwardSimulation(scratch);
    }

    /** When jobs submitted now would start, each by itself; NEVER for one that would not. */
    void starts(BatchEngine origin, long at, int[] units, long[] walltime, int count, long[] out) {
        follow(origin, at);
        int most = Math.min(origin.capacity(), origin.policy().limits().units());
        for (int i = 0; i < count; i++) {
            out[i] = units[i] <= most ? start(units[i], walltime[i]) : NEVER;
        }
    }

    private long start(int units, long walltime) {
        for (int p = 0; p < passes || goOn(); p++) {
            if (free[firstStair[p]] >= units && isFree(p, units, time[p] + walltime)) {
                return time[p];
            }
        }
        return NEVER;
    }

    /** Whether so many units are free after a pass until an instant. */
    private boolean isFree(int p, int units, long end) {
        for (int s = firstStair[p]; s < firstStair[p + 1] && free[s] >= units; s++) {
            if (until[s] >= end) {
                return true;
            }
        }
        return false;
    }

    /** When jobs that are queued start; NEVER for handles below 0, and for one that does not. */
    void starts(BatchEngine origin, long at, int[] jobs, int count, long[] out) {
        follow(origin, at);
        for (int i = 0; i < count; i++) {
            out[i] = NEVER;
            while (jobs[i] >= 0 && out[i] == NEVER) {
                out[i] = startOf[jobs[i]];
                if (out[i] == NEVER && !goOn()) {
                    break;
                }
            }
        }
    }

    /** Begins anew unless the engine is as it was. */
    private void follow(BatchEngine origin, long at) {
        if (origin.stamp() == stamp && at == from) {
            return;
        }
        stamp = origin.stamp();
        from = at;
        next = at;
        passes = 0;
        forward.begin(origin);
        int handles = forward.engine.handles();
        if (startOf.length < handles) {
            startOf = new long[2 * handles];
        }
        for (int j = 0; j < handles; j++) {
            startOf[j] = forward.engine.isRunning(j) ? at : NEVER;
        }
    }

    /** Makes the next pass; false if there is none. */
    private boolean goOn() {
        long t = next;
        if (t == NEVER) {
            return false;
        }
        forward.pass(t);
        for (int i = 0; i < forward.started(); i++) {
            startOf[forward.started(i)] = t;
        }
        keep(t);
        next = forward.next();
        return true;
    }

    private void keep(long t) {
        if (passes == time.length) {
            time = Arrays.copyOf(time, 2 * passes);
            firstStair = Arrays.copyOf(firstStair, 2 * passes + 1);
        }
        time[passes++] = t;
        firstStair[passes] = firstStair[passes - 1];
        DepthPlan plan = (DepthPlan) forward.engine.plan();
        if (plan.isBlocked()) {
            stair(0, NEVER);
        } else {
            ((CountedProfile) plan.profile).reportStairs(t, this);
        }
    }

    /** From the pass that is being kept on, so many units are free until an instant. */
    void stair(int units, long instant) {
        int at = firstStair[passes]++;
        if (at == free.length) {
            free = Arrays.copyOf(free, 2 * at);
            until = Arrays.copyOf(until, 2 * at);
        }
        free[at] = units;
        until[at] = instant;
    }
}
