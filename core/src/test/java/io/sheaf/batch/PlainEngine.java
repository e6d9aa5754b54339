package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;
import static io.sheaf.batch.BatchEngine.TOO_LARGE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reference implementation of {@link BatchEngine}, written for readability.
 *
 * <p>Jobs are objects, the queue is a list that is sorted when it is used, reservations are made from scratch at each pass, and
 * re-planning removes and inserts every queued job. Placement by count only.
 */
final class PlainEngine implements ReferenceScheduler {
    private static final long GRACE = 1000;

    private record Reservation(int units, long from, long to) {}

    private final Policy policy;
    private final int size;
    private final List<@Nullable PlainJob> byHandle = new ArrayList<>();
    private final List<PlainJob> queue = new ArrayList<>();
    private final List<PlainJob> running = new ArrayList<>();
    private final List<Reservation> reservations = new ArrayList<>();
    private final Users users;
    private final @Nullable PlainPriorities priorities;
    private PlainProfile profile;
    private final int capacity;
    private long now = Long.MIN_VALUE;
    private long sequence;
    private long eligibleAt = NEVER;

    PlainEngine(Policy policy, int units) {
        if (policy.placement() != Policy.NodeSelection.COUNT) {
            throw new IllegalArgumentException("the plain engine only counts nodes");
        }
        this.policy = policy;
        size = units;
        capacity = units;
        users = new Users(policy.perUser(), policy.order());
        Multifactor multifactor = policy.order().multifactor();
        priorities = multifactor == null ? null : new PlainPriorities(multifactor, units);
        profile = new PlainProfile(Long.MIN_VALUE, units);
    }

    @Override
    public int submit(long at, Submission s) {
        moveTo(at);
        if (s.units > size || !policy.perJob().allow(s.units, s.walltime)) {
            return TOO_LARGE;
        }
        users.enter(s.user, s.account, at);
        int handle = byHandle.indexOf(null);
        if (handle < 0) {
            handle = byHandle.size();
            byHandle.add(null);
        }
        PlainJob job = new PlainJob(handle, sequence++, at, s, s.after < 0 ? null : job(s.after));
        byHandle.set(handle, job);
        if (priorities != null) {
            priorities.join(s.user, s.account);
            sortQueue();
        }
        queue.add(job);
        if (policy.isConservative()) {
            planIfPossible(job);
        }
        return handle;
    }

    @Override
    public void complete(int handle, long at) {
        moveTo(at);
        PlainJob job = job(handle);
        running.remove(job);
        profile.add(at, job.end, job.units);
        leave(job);
        changed(at < job.end);
    }

    @Override
    public void cancel(int handle, long at) {
        PlainJob job = job(handle);
        if (job.running) {
            complete(handle, at);
            return;
        }
        moveTo(at);
        boolean freed = job.isPlanned();
        unplan(job);
        queue.remove(job);
        leave(job);
        changed(freed);
    }

    @Override
    public void shorten(int handle, long walltime, long at) {
        moveTo(at);
        PlainJob job = job(handle);
        boolean freed = job.isPlanned() && walltime < job.walltime;
        if (job.isPlanned()) {
            profile.add(job.start + walltime, job.start + job.walltime, job.units);
        }
        job.walltime = walltime;
        changed(freed);
    }

    @Override
    public void reserve(int units, long from, long to, long at) {
        moveTo(at);
        reservations.add(new Reservation(units, from, to));
        rebuild();
    }

    @Override
    public int pass(long at, int[] started) {
        moveTo(at);
        if (priorities != null && policy.isConservative() && nextPass() > at) {
            return 0;
        }
        if (!policy.isConservative()) {
            reserveAnew();
        }
        if (isBroken()) {
            running.forEach(job -> job.end = job.end <= now ? now + GRACE : job.end);
            rebuild();
            if (!policy.isConservative()) {
                reserveAnew();
            }
        }
        sortQueue();
        int count = 0;
        for (Iterator<PlainJob> i = queue.iterator(); i.hasNext(); ) {
            PlainJob job = i.next();
            if (job.start <= at) {
                i.remove();
                job.running = true;
                job.end = at + job.walltime;
                running.add(job);
                users.started(job.user, job.units, at);
                if (priorities != null) {
                    priorities.changed(job.user, job.units, at);
                }
                started[count++] = job.handle;
            }
        }
        return count;
    }

    @Override
    public long nextPass() {
        long next = policy.isConservative() ? NEVER : eligibleAt;
        for (PlainJob job : queue) {
            next = Math.min(next, job.start);
        }
        return next;
    }

    @Override
    public int queued() {
        return queue.size();
    }

    @Override
    public long start(int handle) {
        return job(handle).start;
    }

    @Override
    public long limit(int handle) {
        return job(handle).end;
    }

    /** Estimates from a conservative plan only: a plain engine cannot be forked. */
    @Override
    public long estimate(long at, Submission s) {
        if (!policy.isConservative()) {
            throw new UnsupportedOperationException("the plain engine promises nothing unless it is conservative");
        }
        return profile.hole(Math.max(at, s.notBefore), s.units, s.walltime);
    }

    /** Updates the plan after units were freed or after another change that may make jobs eligible. */
    private void changed(boolean freed) {
        if (!policy.isConservative()) {
            return;
        }
        sortQueue();
        if (freed) {
            for (PlainJob job : queue) {
                unplan(job);
                planIfPossible(job);
            }
        }
        boolean repeat = true;
        while (repeat) {
            repeat = false;
            for (PlainJob job : queue) {
                repeat |= !job.isPlanned() && planIfPossible(job);
            }
        }
    }

    private void rebuild() {
        profile = new PlainProfile(now, capacity);
        for (Reservation r : reservations) {
            profile.add(Math.max(now, r.from), r.to, -r.units);
        }
        for (PlainJob job : running) {
            profile.add(now, job.end, -job.units);
        }
        for (PlainJob job : queue) {
            job.start = NEVER;
        }
        changed(false);
    }

    /** Plans jobs that can start for now, and makes reservations for the first k of the others. */
    private void reserveAnew() {
        for (PlainJob job : queue) {
            unplan(job);
        }
        sortQueue();
        eligibleAt = NEVER;
        for (Reservation r : reservations) {
            eligibleAt = r.to > now ? Math.min(eligibleAt, r.to) : eligibleAt;
        }
        int reserved = 0;
        for (PlainJob job : queue) {
            if (job.notBefore > now) {
                eligibleAt = Math.min(eligibleAt, job.notBefore);
                continue;
            }
            if (!isPlannable(job) || (policy.depth() == Policy.FCFS && job.after != null)) {
                continue;
            }
            long start = profile.hole(bound(job), job.units, job.walltime);
            if (start == now) {
                plan(job, start);
            } else if (policy.depth() == Policy.FCFS) {
                return;
            } else if (reserved < policy.depth() && start != NEVER) {
                plan(job, start);
                reserved++;
            }
        }
    }

    /** Whether a planned start was missed, or is prevented by a job beyond its walltime. */
    private boolean isBroken() {
        int free = capacity;
        for (PlainJob job : running) {
            free -= job.units;
        }
        for (PlainJob job : queue) {
            if (job.start <= now) {
                free -= job.units;
                if (free < 0 || job.start < now || job.after != null) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isPlannable(PlainJob job) {
        PlainJob after = job.after;
        if (after != null && (!job.reserving || after.plannedEnd() == NEVER)) {
            return false;
        }
        if (policy.perUser().scope() == UserLimits.LimitScope.OWN && job.user != Lockstep.OWN) {
            return true;
        }
        int jobs = 1;
        long units = job.units;
        long time = job.units * job.walltime;
        for (PlainJob other : byHandle) {
            if (other != null && other.user == job.user && other.start != NEVER) {
                jobs++;
                units += other.units;
                time += other.units * other.walltime;
            }
        }
        return jobs <= policy.perUser().running()
                && units <= policy.perUser().units()
                && time <= policy.perUser().unitTime();
    }

    private long bound(PlainJob job) {
        long bound = Math.max(now, job.notBefore);
        return job.after == null ? bound : Math.max(bound, job.after.plannedEnd());
    }

    private boolean planIfPossible(PlainJob job) {
        if (!isPlannable(job)) {
            return false;
        }
        long start = profile.hole(bound(job), job.units, job.walltime);
        if (start != NEVER) {
            plan(job, start);
        }
        return start != NEVER;
    }

    private void plan(PlainJob job, long start) {
        job.start = start;
        profile.add(start, start + job.walltime, -job.units);
    }

    private void unplan(PlainJob job) {
        if (job.isPlanned()) {
            profile.add(job.start, job.start + job.walltime, job.units);
            job.start = NEVER;
        }
    }

    private void leave(PlainJob job) {
        if (job.running) {
            users.ended(job.user, job.units, now);
            if (priorities != null) {
                priorities.changed(job.user, -job.units, now);
            }
        }
        byHandle.set(job.handle, null);
        for (PlainJob other : queue) {
            if (other.after == job) {
                other.after = null;
                other.eligible = now;
            }
        }
    }

    private void sortQueue() {
        if (priorities != null) {
            priorities.computeIfDue(now);
        }
        if (!policy.order().isArrival()) {
            queue.sort(Comparator.comparingLong(this::rank).thenComparingLong(job -> job.sequence));
        }
    }

    private long rank(PlainJob job) {
        if (priorities != null) {
            return -priorities.priority(job);
        }
        QueueOrder order = policy.order();
        long rank = order.rank(job.submitted, job.units, job.walltime, job.priority);
        return order.sharesFairly() ? rank + order.penalty(users.usage(job.user, now)) : rank;
    }

    private PlainJob job(int handle) {
        return Objects.requireNonNull(byHandle.get(handle), "no job has this handle");
    }

    private void moveTo(long at) {
        now = at;
        profile.forgetBefore(at);
    }
}
