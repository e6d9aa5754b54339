package io.sheaf.batch;

import static io.sheaf.batch.BatchScheduler.NEVER;

/** The planned starts of queued jobs, and the jobs to start at a pass: {@link StandingPlan} plans at submission, {@link DepthPlan} at each pass. */
abstract sealed class QueuePlan permits StandingPlan, DepthPlan {
    /** The additional run time assumed for a job beyond its walltime, in milliseconds. */
    private static final long GRACE = 1000;

    final Policy policy;
    final JobTable jobs = new JobTable();
    final JobQueue queue = new JobQueue(jobs);
    final Users users;
    final Reservations reservations = new Reservations();
    final AvailabilityProfile profile;
    int capacity;
    int runningUnits;
    /** The number of queued jobs with a planned start. */
    int planned;

    QueuePlan(Policy policy, int capacity) {
        this.policy = policy;
        this.capacity = capacity;
        users = new Users(policy.limits(), policy.order());
        profile = AvailabilityProfile.of(policy, capacity);
    }

    static QueuePlan of(Policy policy, int capacity, int many) {
        return policy.isConservative() ? new StandingPlan(policy, capacity, many) : new DepthPlan(policy, capacity);
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
        freed(from, to, capacity, 0, at);
    }

    /** Plans all jobs again, after the profile was rebuilt and planned starts were dropped. */
    abstract void replan(long at);

    abstract int pass(long at, int[] started);

    abstract long nextPass();

    /** Whether a job of a pool that is last in the queue order would have started at the pass just made. */
    abstract boolean wouldStart(long at, int pool, int units, long walltime);

    final boolean hasPools() {
        return policy.pools().count() > 0;
    }

    /** The first hole for a job in [from, before). */
    final long hole(int j, long from, long before) {
        return profile.hole(jobs.pool[j], from, before, jobs.units[j], jobs.walltime[j]);
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

    /** What a profile needs to know of a reservation to find its units. */
    final int block(int reservation) {
        return hasPools() ? -1 - reservations.pool[reservation] : 0;
    }

    void copyFrom(QueuePlan o) {
        jobs.copyFrom(o.jobs);
        queue.copyFrom(o.queue);
        users.copyFrom(o.users);
        reservations.copyFrom(o.reservations);
        profile.copyFrom(o.profile);
        capacity = o.capacity;
        runningUnits = o.runningUnits;
        planned = o.planned;
    }

    /** Whether a job may have a planned start at all. */
    final boolean isPlannable(int j) {
        return !jobs.held[j]
                && (jobs.after[j] < 0 || (jobs.reserving[j] && jobs.plannedEnd(jobs.after[j]) != NEVER))
                && users.mayTake(jobs.user[j], jobs.units[j]);
    }

    /** The earliest start that a job's own conditions allow. */
    final long bound(int j, long at) {
        long bound = Math.max(at, jobs.notBefore[j]);
        return jobs.after[j] < 0 ? bound : Math.max(bound, jobs.plannedEnd(jobs.after[j]));
    }

    final void plan(int j, long start) {
        jobs.start[j] = start;
        jobs.block[j] = profile.keep(j);
        profile.take(start, start + jobs.walltime[j], jobs.units[j], jobs.block[j]);
        users.take(jobs.user[j], jobs.units[j]);
        planned++;
    }

    final void unplan(int j) {
        long start = jobs.start[j];
        profile.give(start, start + jobs.walltime[j], jobs.units[j], jobs.block[j]);
        users.give(jobs.user[j], jobs.units[j]);
        jobs.start[j] = NEVER;
        planned--;
    }

    /** Starts a planned job; the caller removes it from the queue. */
    final void begin(int j, long at) {
        jobs.state[j] = JobTable.RUNNING;
        jobs.start[j] = at;
        jobs.end[j] = at + jobs.walltime[j];
        runningUnits += jobs.units[j];
        planned--;
        users.started(jobs.user[j], jobs.units[j], at);
    }

    /** Adds a job that is already running; its walltime may have ended. */
    final void adopt(int j, long startedAt, long at) {
        long end = Math.max(startedAt + jobs.walltime[j], at + GRACE);
        boolean counted = policy.placement() == Policy.Placement.COUNT && !hasPools();
        if (!counted && profile.hole(jobs.pool[j], at, at + 1, jobs.units[j], end - at) != at) {
            throw new IllegalArgumentException(
                    hasPools()
                            ? "no free nodes in the pool of the running job"
                            : "contiguous placement: no block for the running job");
        }
        plan(j, at);
        profile.give(at, at + jobs.walltime[j], jobs.units[j], jobs.block[j]);
        profile.take(at, end, jobs.units[j], jobs.block[j]);
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
        if (policy.placement() == Policy.Placement.COUNT) {
            return;
        }
        boolean all = units == capacity;
        for (int j = 0; j < jobs.top; j++) {
            all &= jobs.state[j] != JobTable.RUNNING || jobs.end[j] <= from;
        }
        if (!all) {
            throw new IllegalArgumentException(
                    "contiguous placement: a reservation must be of all nodes and begin when the"
                            + " running jobs have ended");
        }
    }

    /** Updates the queue order if it depends on usage. */
    final void refreshOrder(long at) {
        if (policy.order().sharesFairly()) {
            for (int i = 0; i < queue.size; i++) {
                int j = queue.order[i];
                jobs.rank[j] = rank(j, at);
            }
            queue.sort();
        }
    }

    final long rank(int j, long at) {
        QueueOrder order = policy.order();
        long rank = order.rank(jobs.submit[j], jobs.units[j], jobs.walltime[j], jobs.priority[j]);
        return order.sharesFairly() ? rank + order.penalty(users.usage(jobs.user[j], at)) : rank;
    }

    /** Rebuilds the profile from running jobs and reservations, and plans all jobs again. */
    final void rebuild(long at) {
        profile.clear(at, capacity);
        for (int i = 0; i < reservations.size; i++) {
            profile.take(Math.max(at, reservations.from[i]), reservations.to[i], reservations.units[i], block(i));
        }
        for (int j = 0; j < jobs.top; j++) {
            if (jobs.state[j] == JobTable.RUNNING) {
                profile.take(at, jobs.end[j], jobs.units[j], jobs.block[j]);
            } else if (jobs.state[j] == JobTable.QUEUED && jobs.isPlanned(j)) {
                users.give(jobs.user[j], jobs.units[j]);
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
