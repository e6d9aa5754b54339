package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The planned starts of queued jobs, and the jobs to start at a pass: {@link StandingPlan} plans at submission, {@link DepthPlan} at each pass. */
abstract sealed class QueuePlan permits StandingPlan, DepthPlan {
    /** The additional run time assumed for a job beyond its walltime, in milliseconds. */
    private static final long GRACE = 1000;

    final Policy policy;
    final JobTable jobs = new JobTable();
    final JobQueue queue = new JobQueue(jobs);
    final Users users;
    /** Fixed reservations, for maintenance. Few, so searched linearly. */
    List<QueueSnapshot.Reservation> reservations = List.of();

    final AvailabilityProfile profile;
    /** The free amounts over time of each resource of {@link PoolMemory}; empty if memory is not counted. */
    private final CountedProfile[] memory;

    private final long[] runningNeeds;
    final int size;
    int runningUnits;
    /** The number of queued jobs with a planned start. */
    int planned;

    long nextPass = NEVER;

    QueuePlan(Policy policy, int size) {
        this.policy = policy;
        this.size = size;
        users = new Users(policy.perUser(), policy.order());
        profile = AvailabilityProfile.of(policy, size);
        memory = new CountedProfile[policy.memory().resources()];
        runningNeeds = new long[memory.length];
        Arrays.setAll(memory, i -> new CountedProfile(policy.memory().amount(i, size, size)));
    }

    static QueuePlan of(Policy policy, int size, int longQueue) {
        return policy.isConservative() ? new StandingPlan(policy, size, longQueue) : new DepthPlan(policy, size);
    }

    /** A job without planned start joined the queue at a position, or became plannable. */
    abstract void arrived(int job, int position, long at);

    /**
     * Units, {@code block} the first of them, were released in [from, to); if that is empty, jobs may have become eligible. Called once for each such
     * event.
     */
    abstract void freed(long from, long to, int units, int block, long at);

    /** The same for any units. */
    final void freed(long from, long to, long at) {
        freed(from, to, size, 0, at);
    }

    /** Plans all jobs again, after the profile was rebuilt and planned starts were dropped. */
    abstract void replan(long at);

    abstract int pass(long at, int[] started);

    /** Whether a job of a pool that is last in the queue order would have started at the pass just made. */
    boolean wouldStart(long at, int pool, int units, long walltime, long perUnit) {
        return hole(pool, at, at + 1, units, walltime, perUnit) == at;
    }

    final boolean hasPools() {
        return policy.pools().count() > 0;
    }

    /** Whether a running job has exceeded its walltime. */
    final boolean isAnyOverdue(long at) {
        for (int j = 0; j < jobs.top; j++) {
            if (jobs.state[j] == JobTable.RUNNING && jobs.end[j] <= at) {
                return true;
            }
        }
        return false;
    }

    final void reserve(QueueSnapshot.Reservation reservation) {
        List<QueueSnapshot.Reservation> all = new ArrayList<>(reservations);
        all.add(reservation);
        reservations = all;
    }

    /** The first end of a reservation after an instant; NEVER if none. */
    final long nextReservationEnd(long at) {
        long next = NEVER;
        for (QueueSnapshot.Reservation each : reservations) {
            next = each.to() > at ? Math.min(next, each.to()) : next;
        }
        return next;
    }

    void copyFrom(QueuePlan o) {
        jobs.copyFrom(o.jobs);
        queue.copyFrom(o.queue);
        users.copyFrom(o.users);
        reservations = o.reservations;
        profile.copyFrom(o.profile);
        for (int i = 0; i < memory.length; i++) {
            memory[i].copyFrom(o.memory[i]);
            runningNeeds[i] = o.runningNeeds[i];
        }
        runningUnits = o.runningUnits;
        planned = o.planned;
        nextPass = o.nextPass;
    }

    /** Whether a job may have a planned start at all. */
    final boolean isPlannable(int j) {
        return (jobs.after[j] < 0 || (jobs.reserving[j] && jobs.plannedEnd(jobs.after[j]) != NEVER))
                && users.isAllowed(jobs.user[j], jobs.units[j], jobs.walltime[j]);
    }

    /** The earliest start that a job's own conditions allow. */
    final long bound(int j, long at) {
        long bound = Math.max(at, jobs.notBefore[j]);
        return jobs.after[j] < 0 ? bound : Math.max(bound, jobs.plannedEnd(jobs.after[j]));
    }

    final boolean countsMemory() {
        return memory.length > 0;
    }

    private int amount(int resource, int units) {
        return policy.memory().amount(resource, units, size);
    }

    private int need(int resource, int j) {
        return policy.memory().need(resource, jobs.units[j], jobs.memory[j]);
    }

    /** Drops everything before {@code at}. */
    final void advance(long at) {
        profile.advance(at);
        for (CountedProfile each : memory) {
            each.advance(at);
        }
    }

    /** The first start in [from, before) of a hole for a job; NEVER if none exists. */
    final long hole(int j, long from, long before) {
        return hole(jobs.pool[j], from, before, jobs.units[j], jobs.walltime[j], jobs.memory[j]);
    }

    /** The same for a request with memory on each unit: the first start with a hole in units and in each resource. */
    final long hole(int pool, long from, long before, int units, long walltime, long perUnit) {
        long start = profile.hole(pool, from, before, units, walltime);
        int agreeing = 0;
        for (int i = 0; agreeing < memory.length && start != NEVER; i = (i + 1) % memory.length) {
            int need = policy.memory().need(i, units, perUnit);
            long later = need == 0 ? start : memory[i].hole(start, before, need, walltime);
            if (later == start) {
                agreeing++;
            } else {
                start = later == NEVER ? NEVER : profile.hole(pool, later, before, units, walltime);
                agreeing = later == start ? 1 : 0;
            }
        }
        return start;
    }

    /** Allocates a job's units and memory in [from, to). */
    final void allocate(int j, long from, long to) {
        profile.allocate(from, to, jobs.units[j], jobs.block[j]);
        for (int i = 0; i < memory.length; i++) {
            memory[i].allocate(from, to, need(i, j), 0);
        }
    }

    /** Releases a job's units and memory in [from, to). */
    final void release(int j, long from, long to) {
        profile.release(from, to, jobs.units[j], jobs.block[j]);
        for (int i = 0; i < memory.length; i++) {
            memory[i].release(from, to, need(i, j), 0);
        }
    }

    /** Allocates units with their part of the memory in [from, to). */
    private void allocateUnits(long from, long to, int units, int block) {
        profile.allocate(from, to, units, block);
        for (int i = 0; i < memory.length; i++) {
            memory[i].allocate(from, to, amount(i, units), 0);
        }
    }

    /** Whether running jobs, some beyond their walltimes, leave too few units or too little memory for a job. */
    final boolean isExceededBy(int j, long at) {
        boolean exceeded = hasPools() ? isAnyOverdue(at) : runningUnits + jobs.units[j] > size;
        for (int i = 0; i < memory.length; i++) {
            exceeded |= runningNeeds[i] + need(i, j) > amount(i, size);
        }
        return exceeded;
    }

    /** Whether running jobs leave too little memory for the queued jobs that are due. */
    final boolean lacksMemory(long at) {
        for (int i = 0; i < memory.length; i++) {
            long used = runningNeeds[i];
            boolean due = false;
            for (int k = 0; k < queue.size; k++) {
                int j = queue.order[k];
                if (jobs.start[j] <= at && need(i, j) > 0) {
                    used += need(i, j);
                    due = true;
                }
            }
            if (due && used > amount(i, size)) {
                return true;
            }
        }
        return false;
    }

    final void plan(int j, long start) {
        jobs.start[j] = start;
        jobs.block[j] = profile.keep(j);
        allocate(j, start, start + jobs.walltime[j]);
        users.plan(jobs.user[j], jobs.units[j], jobs.walltime[j]);
        planned++;
    }

    final void unplan(int j) {
        long start = jobs.start[j];
        release(j, start, start + jobs.walltime[j]);
        users.release(jobs.user[j], jobs.units[j], jobs.walltime[j]);
        jobs.start[j] = NEVER;
        planned--;
    }

    /** Starts a planned job; the caller removes it from the queue. */
    final void begin(int j, long at) {
        jobs.state[j] = JobTable.RUNNING;
        jobs.start[j] = at;
        jobs.end[j] = at + jobs.walltime[j];
        runningUnits += jobs.units[j];
        for (int i = 0; i < memory.length; i++) {
            runningNeeds[i] += need(i, j);
        }
        planned--;
        users.started(jobs.user[j], jobs.units[j], at);
    }

    /** Releases a running job's units and memory from now on; the caller removes it. */
    final void end(int j, long at) {
        release(j, at, jobs.end[j]);
        runningUnits -= jobs.units[j];
        for (int i = 0; i < memory.length; i++) {
            runningNeeds[i] -= need(i, j);
        }
        users.ended(jobs.user[j], jobs.units[j], at);
        users.release(jobs.user[j], jobs.units[j], jobs.walltime[j]);
    }

    /** Adds a job that is already running; its walltime may have ended. */
    final void adopt(int j, long startedAt, long at) {
        long end = Math.max(startedAt + jobs.walltime[j], at + GRACE);
        boolean counted = policy.placement() == Policy.NodeSelection.COUNT && !hasPools();
        if (!counted && profile.hole(jobs.pool[j], at, at + 1, jobs.units[j], end - at) != at) {
            throw new IllegalArgumentException(
                    hasPools()
                            ? "no free nodes in the pool of the running job"
                            : "contiguous placement: no block for the running job");
        }
        plan(j, at);
        release(j, at, at + jobs.walltime[j]);
        allocate(j, at, end);
        begin(j, at);
        jobs.start[j] = startedAt;
        jobs.end[j] = end;
        if (planned > 0) {
            rebuild(at);
        } else {
            freed(NEVER, NEVER, at);
        }
    }

    /** With numbered units, neither part of the cluster nor units of a running job can be reserved. */
    final void checkReservable(int units, long from) {
        if (policy.placement() == Policy.NodeSelection.COUNT) {
            return;
        }
        boolean all = units == size;
        for (int j = 0; j < jobs.top; j++) {
            all &= jobs.state[j] != JobTable.RUNNING || jobs.end[j] <= from;
        }
        if (!all) {
            throw new IllegalArgumentException(
                    "contiguous placement: a reservation must be of all nodes and begin when the"
                            + " running jobs have ended");
        }
    }

    /** Updates the queue order if it depends on usage and is due. */
    final void refreshOrder(long at) {
        if (isOrderDue(at)) {
            if (policy.order().multifactor() != null) {
                users.compute(at);
            }
            sort(at);
        }
    }

    private void sort(long at) {
        for (int i = 0; i < queue.size; i++) {
            int j = queue.order[i];
            jobs.rank[j] = rank(j, at);
        }
        queue.sort();
    }

    /** Sorts the queue of a copied plan in the order of this one, and plans all jobs again. */
    final void reorder(long at) {
        sort(at);
        rebuild(at);
    }

    /** Whether the queue order depends on usage and has to be computed again. */
    final boolean isOrderDue(long at) {
        return policy.order().sharesFairly() && users.isDue(at);
    }

    final long rank(int j, long at) {
        QueueOrder order = policy.order();
        Multifactor priority = order.multifactor();
        if (priority != null) {
            long eligible = jobs.after[j] >= 0 ? NEVER : Math.max(jobs.submit[j], jobs.notBefore[j]);
            long waited = Math.max(0, users.computedAt - eligible);
            return -priority.priority(waited, jobs.units[j], size, users.factor(jobs.user[j]), jobs.priority[j]);
        }
        long rank = order.rank(jobs.submit[j], jobs.units[j], jobs.walltime[j], jobs.priority[j]);
        return order.sharesFairly() ? rank + order.penalty(users.usage(jobs.user[j], at)) : rank;
    }

    /** Rebuilds the profile from running jobs and reservations, and plans all jobs again. */
    final void rebuild(long at) {
        profile.clear(at, size);
        for (int i = 0; i < memory.length; i++) {
            memory[i].clear(at, amount(i, size));
        }
        for (QueueSnapshot.Reservation each : reservations) {
            allocateUnits(Math.max(at, each.from()), each.to(), each.units(), hasPools() ? -1 - each.pool() : 0);
        }
        for (int j = 0; j < jobs.top; j++) {
            if (jobs.state[j] == JobTable.RUNNING) {
                allocate(j, at, jobs.end[j]);
            } else if (jobs.state[j] == JobTable.QUEUED && jobs.isPlanned(j)) {
                users.release(jobs.user[j], jobs.units[j], jobs.walltime[j]);
                jobs.start[j] = NEVER;
            }
        }
        planned = 0;
        replan(at);
    }

    /** Extends running jobs beyond their walltime by a little, and plans all jobs again. */
    final void repair(long at) {
        for (int j = 0; j < jobs.top; j++) {
            if (jobs.state[j] == JobTable.RUNNING && jobs.end[j] <= at) {
                jobs.end[j] = at + GRACE;
            }
        }
        rebuild(at);
    }
}
