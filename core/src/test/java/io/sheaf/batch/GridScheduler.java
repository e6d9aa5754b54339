package io.sheaf.batch;

import static io.sheaf.batch.BatchEngine.NEVER;
import static io.sheaf.batch.BatchEngine.TOO_LARGE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reference scheduler that marks all jobs on a grid of instants × nodes and tries every start and every block of nodes.
 * Instants must be small numbers.
 */
final class GridScheduler implements ReferenceScheduler {
    private static final int HORIZON = 3000;

    static final class Job {
        int units;
        long walltime;
        long memory;
        int user;
        long submitted;
        long priority;
        long notBefore;

        @Nullable
        Job after;

        boolean reserving;
        boolean running;
        boolean ended;
        long start = NEVER;
        int block;
    }

    /** Whether the memory suffices for jobs that run at the same time. */
    interface Memory {
        Memory UNCOUNTED = together -> true;

        boolean suffices(List<Job> together);
    }

    private record Closed(int units, long from, long to) {}

    private final Policy policy;
    private final int nodes;
    private final Memory memory;
    private final int capacity;
    private final List<Job> all = new ArrayList<>();
    private final List<Closed> closed = new ArrayList<>();
    private long now;
    private long eligible = NEVER;
    private int foundBlock;

    GridScheduler(Policy policy, int nodes) {
        this(policy, nodes, Memory.UNCOUNTED);
    }

    GridScheduler(Policy policy, int nodes, Memory memory) {
        this.policy = policy;
        this.memory = memory;
        this.nodes = nodes;
        capacity = nodes;
    }

    @Override
    public int submit(long at, Submission s) {
        now = at;
        Job alone = new Job();
        alone.units = s.units;
        alone.memory = s.memory;
        if (s.units > nodes
                || s.units > policy.perUser().units()
                || s.units * s.walltime > policy.perUser().unitTime()
                || !memory.suffices(List.of(alone))) {
            return TOO_LARGE;
        }
        Job j = new Job();
        j.units = s.units;
        j.walltime = s.walltime;
        j.memory = s.memory;
        j.user = s.user;
        j.submitted = at;
        j.priority = s.priority;
        j.notBefore = s.notBefore;
        j.after = s.after < 0 ? null : all.get(s.after);
        j.reserving = s.reserving;
        all.add(j);
        if (policy.isConservative()) {
            plan(j);
        }
        return all.size() - 1;
    }

    @Override
    public void complete(int job, long at) {
        now = at;
        Job j = all.get(job);
        boolean early = at < j.start + j.walltime;
        remove(j);
        changed(early);
    }

    @Override
    public void cancel(int job, long at) {
        Job j = all.get(job);
        if (j.running) {
            complete(job, at);
            return;
        }
        now = at;
        boolean wasPlanned = j.start != NEVER;
        remove(j);
        changed(wasPlanned);
    }

    @Override
    public void shorten(int job, long walltime, long at) {
        now = at;
        Job j = all.get(job);
        boolean freed = j.start != NEVER && walltime < j.walltime;
        j.walltime = walltime;
        changed(freed);
    }

    @Override
    public void reserve(int units, long from, long to, long at) {
        now = at;
        closed.add(new Closed(units, from, to));
        unplanAll();
    }

    private void unplanAll() {
        all.stream().filter(this::isQueued).forEach(j -> j.start = NEVER);
        changed(false);
    }

    @Override
    public int pass(long at, int[] started) {
        now = at;
        if (!policy.isConservative()) {
            reservations();
        }
        int n = 0;
        for (Job j : inOrder()) {
            if (j.start == at) {
                j.running = true;
                started[n++] = all.indexOf(j);
            }
        }
        return n;
    }

    private void reservations() {
        all.stream().filter(this::isQueued).forEach(j -> j.start = NEVER);
        eligible = NEVER;
        for (Closed c : closed) {
            eligible = c.to > now ? Math.min(eligible, c.to) : eligible;
        }
        int reserved = 0;
        for (Job j : inOrder()) {
            if (j.notBefore > now) {
                eligible = Math.min(eligible, j.notBefore);
            } else if (mayBePlanned(j) && !(policy.depth() == 0 && j.after != null)) {
                long start = hole(j);
                if (start == now) {
                    put(j, start);
                } else if (policy.depth() == 0) {
                    return;
                } else if (reserved < policy.depth() && start != NEVER) {
                    put(j, start);
                    reserved++;
                }
            }
        }
    }

    private void changed(boolean freed) {
        if (policy.isConservative()) {
            if (freed) {
                for (Job j : inOrder()) {
                    j.start = NEVER;
                    plan(j);
                }
            }
            while (inOrder().stream().filter(j -> j.start == NEVER && plan(j)).count() > 0) {
                // Repeat: a planned job may make other jobs plannable.
            }
        }
    }

    private boolean plan(Job j) {
        if (!mayBePlanned(j)) {
            return false;
        }
        long start = hole(j);
        if (start != NEVER) {
            put(j, start);
        }
        return start != NEVER;
    }

    private void put(Job j, long start) {
        j.start = start;
        j.block = foundBlock;
    }

    private boolean mayBePlanned(Job j) {
        if (j.after != null && (!j.reserving || j.after.start == NEVER)) {
            return false;
        }
        if (policy.perUser().scope() == UserLimits.LimitScope.OWN && j.user != Lockstep.OWN) {
            return true;
        }
        int count = 1;
        long units = j.units;
        long time = j.units * j.walltime;
        for (Job other : all) {
            if (!other.ended && other.user == j.user && other.start != NEVER) {
                count++;
                units += other.units;
                time += other.units * other.walltime;
            }
        }
        return count <= policy.perUser().running()
                && units <= policy.perUser().units()
                && time <= policy.perUser().unitTime();
    }

    @SuppressWarnings("ReferenceEquality")
    private long hole(Job j) {
        long from = Math.max(now, j.notBefore);
        Job after = j.after;
        if (after != null) {
            from = Math.max(from, after.start + after.walltime);
        }
        boolean contiguous = policy.placement() == Policy.NodeSelection.CONTIGUOUS;
        boolean[][] taken = contiguous ? paint() : new boolean[0][];
        int[] free = contiguous ? new int[0] : count();
        if (memory != Memory.UNCOUNTED) {
            closeWithoutMemory(free, from, j);
        }
        for (long t = from; t + j.walltime < HORIZON; t++) {
            if (!contiguous && fits(free, t, j)) {
                return t;
            }
            for (int block = 0; contiguous && block + j.units <= nodes; block++) {
                if (fits(taken, t, block, j)) {
                    foundBlock = block;
                    return t;
                }
            }
        }
        return NEVER;
    }

    /** Sets the free units to 0 at each instant at which a job and the running jobs would exceed the memory. */
    private void closeWithoutMemory(int[] free, long from, Job j) {
        for (int t = (int) from; t < HORIZON; t++) {
            List<Job> together = new ArrayList<>(List.of(j));
            for (Job other : all) {
                if (!other.ended && other.start <= t && t < other.start + other.walltime) {
                    together.add(other);
                }
            }
            if (together.size() > 1 && !memory.suffices(together)) {
                free[t] = 0;
            }
        }
    }

    private static boolean fits(int[] free, long t, Job j) {
        for (long u = t; u < t + j.walltime; u++) {
            if (free[(int) u] < j.units) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(boolean[][] taken, long t, int block, Job j) {
        for (long u = t; u < t + j.walltime; u++) {
            for (int node = block; node < block + j.units; node++) {
                if (taken[(int) u][node]) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean[][] paint() {
        boolean[][] taken = new boolean[HORIZON][nodes];
        for (Job j : all) {
            for (long t = j.start; !j.ended && j.start != NEVER && t < j.start + j.walltime; t++) {
                for (int node = j.block; node < j.block + j.units; node++) {
                    taken[(int) t][node] = true;
                }
            }
        }
        return taken;
    }

    private int[] count() {
        int[] free = new int[HORIZON];
        java.util.Arrays.fill(free, capacity);
        for (Job j : all) {
            for (long t = j.start; !j.ended && j.start != NEVER && t < j.start + j.walltime; t++) {
                free[(int) t] -= j.units;
            }
        }
        for (Closed c : closed) {
            for (long t = c.from; t < c.to; t++) {
                free[(int) t] -= c.units;
            }
        }
        return free;
    }

    private void remove(Job j) {
        j.ended = true;
        j.running = false;
        for (Job other : all) {
            if (other.after == j) {
                other.after = null;
            }
        }
    }

    private boolean isQueued(Job j) {
        return !j.ended && !j.running;
    }

    private List<Job> inOrder() {
        return all.stream()
                .filter(this::isQueued)
                .sorted(Comparator.comparingLong(this::rank))
                .toList();
    }

    private long rank(Job j) {
        return policy.order().rank(j.submitted, j.units, j.walltime, j.priority);
    }

    @Override
    public long nextPass() {
        long next = eligible;
        for (Job j : all) {
            next = isQueued(j) ? Math.min(next, j.start) : next;
        }
        return next;
    }

    @Override
    public int queued() {
        return (int) all.stream().filter(this::isQueued).count();
    }

    @Override
    public long start(int job) {
        return all.get(job).start;
    }

    @Override
    public long limit(int job) {
        return all.get(job).start + all.get(job).walltime;
    }

    @Override
    public long estimate(long at, Submission s) {
        throw new UnsupportedOperationException();
    }
}
