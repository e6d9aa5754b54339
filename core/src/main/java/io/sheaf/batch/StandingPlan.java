package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conservative backfilling: each job is promised a start at submission, the first hole that fits.
 *
 * <p>When units become free before their planned time, each queued job in queue order is removed and planned again at the first hole that
 * fits: once per event, even if several fall on one instant. Its own place is among the holes, so it never moves later. Planning everything
 * from scratch would give a different schedule.
 *
 * <h2>What is skipped</h2>
 * Only a fraction of these re-plans moves a job; the rest need no search or a short one. A job that had no hole
 * before its start s has one now only if an instant before s that was too full became free enough. So
 * <ul>
 *   <li>the search ends at s, and a hole that reaches s continues in the job's own place: the profile is only read;
 *   <li>only starts are checked whose hole overlaps a release since the job's last check ({@link Releases});
 *   <li>where a smaller and shorter request has no hole, a larger one has none ({@link HoleBounds}, for long queues);
 *   <li>consecutive identical jobs, as in an array, stay or move together, as far as space allows.
 * </ul>
 * With contiguous placement a job may also move to lower nodes at the same time, see {@link BlockSweep}.
 */
final class StandingPlan extends QueuePlan {
    /** The minimum number of queued jobs for comparing requests with each other. */
    static final int MANY = 128;

    private final int longQueue;
    private final Releases releases = new Releases();
    private final HoleBounds floors = new HoleBounds();
    /** For numbered nodes. */
    private final @Nullable BlockSweep blocks;

    /** The number of releases when the last sweep began. */
    private long lastSweep;

    StandingPlan(Policy policy, int size, int longQueue) {
        super(policy, size);
        this.longQueue = longQueue;
        blocks = profile instanceof ContiguousProfile numbered ? new BlockSweep(numbered, jobs) : null;
    }

    @Override
    void arrived(int job, int position, long at) {
        planIfPossible(job, at);
    }

    @Override
    void freed(long from, long to, int units, int block, long at) {
        refreshOrder(at);
        if (from >= to) {
            planUnplanned(at);
        } else if (countsMemory() || hasPools()) {
            sweep(at);
        } else if (profile instanceof CountedProfile counted) {
            sweep(counted, from, to, at);
        } else {
            sweep(Objects.requireNonNull(blocks), from, to, units, block, at);
        }
    }

    @Override
    void replan(long at) {
        refreshOrder(at);
        nextPass = NEVER;
        planUnplanned(at);
    }

    @Override
    int pass(long at, int[] started) {
        if (nextPass > at) {
            return 0;
        }
        if (needsRepair(at)) {
            repair(at);
        }
        refreshOrder(at);
        int count = 0;
        int kept = 0;
        nextPass = NEVER;
        for (int i = 0; i < queue.size; i++) {
            int j = queue.order[i];
            if (jobs.start[j] <= at) {
                begin(j, at);
                started[count++] = j;
            } else {
                queue.order[kept++] = j;
                nextPass = Math.min(nextPass, jobs.start[j]);
            }
        }
        queue.size = kept;
        return count;
    }

    /** Whether a request gets its start promised at submission. */
    boolean promises(Submission job) {
        return (job.after < 0 || job.reserving) && users.isAllowed(job.user, job.units, job.walltime);
    }

    /** The start that a job submitted now would be promised. */
    long promise(long at, Submission job) {
        if (!job.exempt && !policy.allows(job.pool, job.units, job.walltime, job.memory)) {
            return NEVER;
        }
        long bound = Math.max(at, job.notBefore);
        if (job.after >= 0) {
            bound = Math.max(bound, jobs.plannedEnd(job.after));
        }
        return hole(job.pool, bound, NEVER, job.units, job.walltime, job.memory);
    }

    long promise(long at, JobShapes shapes, int job) {
        int pool = hasPools() ? shapes.pool(job) : Pools.ANY;
        int units = shapes.units(job);
        long walltime = shapes.walltime(job);
        return policy.allows(pool, units, walltime, shapes.memory())
                ? hole(pool, at, NEVER, units, walltime, shapes.memory())
                : NEVER;
    }

    @Override
    void copyFrom(QueuePlan other) {
        super.copyFrom(other);
        StandingPlan o = (StandingPlan) other;
        releases.copyFrom(o.releases);
        if (blocks != null) {
            blocks.releases.copyFrom(Objects.requireNonNull(o.blocks).releases);
        }
        lastSweep = o.lastSweep;
    }

    /** Whether a due start was missed, or is prevented by a job beyond its walltime. */
    private boolean needsRepair(long at) {
        int free = hasPools() ? isAnyOverdue(at) ? -1 : Integer.MAX_VALUE : size - runningUnits;
        for (int i = 0; i < queue.size; i++) {
            int j = queue.order[i];
            if (jobs.start[j] <= at) {
                free -= hasPools() ? 0 : jobs.units[j];
                if (free < 0 || jobs.start[j] < at || jobs.after[j] >= 0) {
                    return true;
                }
            }
        }
        return lacksMemory(at);
    }

    private boolean planIfPossible(int j, long at) {
        if (!isPlannable(j)) {
            return false;
        }
        long start = hole(j, bound(j, at), NEVER);
        if (start == NEVER) {
            return false;
        }
        plan(j, start);
        jobs.checked[j] = blocks == null ? releases.count : blocks.releases.count;
        nextPass = Math.min(nextPass, start);
        return true;
    }

    /** Plans jobs that became eligible, until none is left: a planned job may make its dependents eligible. */
    private void planUnplanned(long at) {
        boolean again = true;
        while (again && planned < queue.size) {
            again = false;
            for (int i = 0; i < queue.size; i++) {
                int j = queue.order[i];
                if (!jobs.isPlanned(j)) {
                    again |= planIfPossible(j, at);
                }
            }
        }
    }

    /** Removes each queued job in order and plans it again, after units or memory were released. */
    private void sweep(long at) {
        nextPass = NEVER;
        for (int i = 0; i < queue.size; i++) {
            int j = queue.order[i];
            if (jobs.isPlanned(j) && jobs.start[j] > at) {
                unplan(j);
            }
            if (jobs.isPlanned(j)) {
                nextPass = Math.min(nextPass, jobs.start[j]);
            } else {
                planIfPossible(j, at);
            }
        }
        planUnplanned(at);
    }

    /** The same for numbered nodes, after units were released in [from, to); jobs that cannot move are skipped. */
    private void sweep(BlockSweep blocks, long from, long to, int units, int block, long at) {
        blocks.begin(from, to, units, block);
        nextPass = NEVER;
        for (int i = 0; i < queue.size; i++) {
            int j = queue.order[i];
            long start = jobs.start[j];
            if (start < bound(j, at)) {
                unplan(j);
                blocks.released(j, start);
            }
            if (jobs.isPlanned(j)) {
                blocks.replan(j, bound(j, at));
                nextPass = Math.min(nextPass, jobs.start[j]);
            } else {
                planIfPossible(j, at);
            }
        }
        blocks.end();
        planUnplanned(at);
    }

    /** The same where only units are counted. */
    private void sweep(CountedProfile counted, long from, long to, long at) {
        long begun = releases.count;
        boolean compares = queue.size >= longQueue;
        if (compares) {
            floors.reset(at);
        }
        long next = NEVER;
        for (int i = 0; i < queue.size; ) {
            int j = queue.order[i];
            long start = jobs.start[j];
            int past = i + 1;
            if (start == NEVER) {
                planIfPossible(j, at);
            } else if (start > at) {
                long moved = better(counted, j, from, to, at, compares);
                if (compares && bound(j, at) == at) {
                    floors.note(jobs.units[j], jobs.walltime[j], Math.min(moved, start));
                }
                past = jobs.isFree[j] ? pastEqual(i) : i + 1;
                if (moved != NEVER) {
                    past = move(counted, i, past, moved);
                } else {
                    markChecked(i, past, releases.count);
                }
            }
            next = Math.min(next, jobs.start[j]);
            i = past;
        }
        nextPass = next;
        releases.forgetBefore(lastSweep);
        lastSweep = begun;
        planUnplanned(at);
    }

    /** The first hole for a planned job before its start, after units were released in [from, to); NEVER if none. */
    private long better(CountedProfile counted, int j, long from, long to, long at, boolean compares) {
        long start = jobs.start[j];
        int units = jobs.units[j];
        long walltime = jobs.walltime[j];
        long low = bound(j, at);
        long high = start;
        // Only holes that contain an instant of [from, to), or of what was given back since the last check.
        if (jobs.checked[j] >= 0 && jobs.after[j] < 0 && (from > at || to < start)) {
            long first = releases.firstSince(jobs.checked[j]);
            long last = releases.lastSince(jobs.checked[j]);
            low = Math.max(low, Math.min(from, first) - walltime + 1);
            high = Math.min(start, Math.max(from < start ? to : at, first < start ? last : at));
        }
        if (!compares || low >= high) {
            return counted.hole(low, high, units, walltime, start);
        }
        // The hole either continues in the job's own place, or is one for any job.
        long reach = start;
        if (high == start) {
            counted.hint = jobs.nearStart[j];
            reach = Math.max(low, counted.freeSince(start, units));
            jobs.nearStart[j] = counted.hint;
        }
        high = Math.min(high, reach);
        low = Math.max(low, floors.raise(counted, units, walltime, high));
        long hole = counted.hole(low, high, units, walltime);
        return hole == NEVER && reach < start ? reach : hole;
    }

    /** Moves the identical jobs of some positions to an earlier start, as far as space allows; returns the position behind. */
    private int move(CountedProfile counted, int i, int pastEqual, long moved) {
        int j = queue.order[i];
        int units = jobs.units[j];
        long start = jobs.start[j];
        long end = start + jobs.walltime[j];
        long joined = Math.min(moved + jobs.walltime[j], start);
        long freedFrom = Math.max(start, moved + jobs.walltime[j]);
        int past = pastEqual > i + 1 ? Math.min(pastEqual, i + counted.minFree(moved, joined) / units) : pastEqual;
        markChecked(i, past, releases.count);
        for (int k = i; k < past; k++) {
            jobs.start[queue.order[k]] = moved;
        }
        boolean compares = queue.size >= longQueue;
        counted.allocate(moved, joined, (past - i) * units, 0);
        if (compares) {
            counted.hint = jobs.nearEnd[j];
        }
        counted.release(freedFrom, end, (past - i) * units, 0);
        releases.add(freedFrom, end);
        if (compares) {
            jobs.nearEnd[j] = counted.hint;
            counted.reportRuns(freedFrom, end, floors);
        }
        return past;
    }

    private void markChecked(int i, int past, long count) {
        for (int k = i; k < past; k++) {
            jobs.checked[queue.order[k]] = count;
        }
    }

    /** The position behind consecutive jobs with the same request and the same planned start. */
    private int pastEqual(int i) {
        int j = queue.order[i];
        int past = i + 1;
        while (past < queue.size) {
            int k = queue.order[past];
            if (jobs.start[k] != jobs.start[j]
                    || jobs.units[k] != jobs.units[j]
                    || jobs.walltime[k] != jobs.walltime[j]
                    || !jobs.isFree[k]) {
                break;
            }
            past++;
        }
        return past;
    }
}
