package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Arrays;

/**
 * A recorded {@link ForwardSimulation}: the start of each job and, after each pass, the free units over time.
 *
 * <p>It runs as far as queries need and is kept until the engine changes. One record answers all queries of a decision: a job that is last in the
 * queue order starts at the first pass after which enough units are free for long enough.
 *
 * <p>Only for finite depth, the order of arrival and counted units; the caller checks that.
 */
final class RecordedSimulation {
    private final ForwardSimulation forward;
    private long stamp = -1;
    private long from = NEVER;
    private long next = NEVER;

    /** The start of a job by handle; NEVER while unknown. */
    private long[] startOf = new long[16];

    /** The passes: their instants and the first index of their stairs. */
    private int passes;

    private long[] time = new long[64];
    private int[] firstStair = new int[65];
    /** The units and the units × walltime that limits leave our user after the pass. */
    private int[] room = new int[64];

    private long[] roomTime = new long[64];

    /** The free units after a pass until the next stair, decreasing. The last stair of a pass never ends. */
    private int[] free = new int[64];

    private long[] until = new long[64];

    /** Uses an engine exclusively. */
    RecordedSimulation(BatchEngine scratch) {
        forward = new ForwardSimulation(scratch);
    }

    /** The starts of jobs submitted now, each by itself; NEVER for one that would not start. */
    void starts(BatchEngine origin, long at, JobShapes shapes, long[] out) {
        follow(origin, at);
        for (int i = 0; i < shapes.count(); i++) {
            boolean possible = StartEstimates.isPossible(origin, Pools.ANY, shapes, i);
            out[i] = possible ? start(shapes.units(i), shapes.walltime(i)) : NEVER;
        }
    }

    private long start(int units, long walltime) {
        for (int p = 0; p < passes || advance(); p++) {
            if (free[firstStair[p]] >= units
                    && room[p] >= units
                    && roomTime[p] / units >= walltime
                    && isFree(p, units, time[p] + walltime)) {
                return time[p];
            }
        }
        return NEVER;
    }

    /** Whether this many units are free after a pass until an instant. */
    private boolean isFree(int p, int units, long end) {
        for (int s = firstStair[p]; s < firstStair[p + 1] && free[s] >= units; s++) {
            if (until[s] >= end) {
                return true;
            }
        }
        return false;
    }

    /** The starts of queued jobs; NEVER for handles below 0, and for one that does not start. */
    void starts(BatchEngine origin, long at, int[] jobs, int count, long[] out) {
        follow(origin, at);
        for (int i = 0; i < count; i++) {
            out[i] = NEVER;
            while (jobs[i] >= 0 && out[i] == NEVER) {
                out[i] = startOf[jobs[i]];
                if (out[i] == NEVER && !advance()) {
                    break;
                }
            }
        }
    }

    /** Restarts if the engine has changed. */
    private void follow(BatchEngine origin, long at) {
        if (origin.stamp == stamp && at == from) {
            return;
        }
        stamp = origin.stamp;
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

    /** Makes the next pass. Returns false if there is none. */
    private boolean advance() {
        long t = next;
        if (t == NEVER) {
            return false;
        }
        forward.pass(t);
        for (int i = 0; i < forward.startedCount; i++) {
            startOf[forward.started[i]] = t;
        }
        record(t);
        next = forward.next();
        return true;
    }

    private void record(long t) {
        if (passes == time.length) {
            time = Arrays.copyOf(time, 2 * passes);
            room = Arrays.copyOf(room, 2 * passes);
            roomTime = Arrays.copyOf(roomTime, 2 * passes);
            firstStair = Arrays.copyOf(firstStair, 2 * passes + 1);
        }
        DepthPlan plan = (DepthPlan) forward.engine.plan;
        room[passes] = plan.users.room(plan.users.unknown());
        roomTime[passes] = plan.users.roomTime(plan.users.unknown());
        time[passes++] = t;
        firstStair[passes] = firstStair[passes - 1];
        if (plan.blocked) {
            stair(0, NEVER);
        } else {
            ((CountedProfile) plan.profile).reportStairs(t, this);
        }
    }

    /** Records for the current pass that this many units are free until an instant. */
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
