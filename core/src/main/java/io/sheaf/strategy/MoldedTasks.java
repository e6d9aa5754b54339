package io.sheaf.strategy;

import io.sheaf.manager.Molding;
import io.sheaf.manager.View;
import java.util.Arrays;

/**
 * The moldable tasks of a {@link Rollout}: their chosen cores, and the sums that the rule of {@link Molding} needs.
 *
 * <p>Scratch memory of one rollout. Tasks are positions of {@link PlannedTasks}; times are milliseconds. Cores are parts of cores if tasks share them.
 */
final class MoldedTasks {
    private final Molding molding;
    private final PlannedTasks tasks;
    private final int perCore;

    /** The remaining time and walltime of each task on its declared cores. */
    private final long[] millis;

    private final long[] room;

    /** The variant of each task that runs at first; −1 for declared cores. */
    private final int[] first;

    private long leftAtFirst;

    /** The chosen variant of each task that was started; −1 for declared cores. */
    private final int[] variant;

    private long remainingWork;
    private double within;
    private double ready;
    private double busy;
    private long capacity;
    private long free;
    private long now;
    private int limit;

    /** Running tasks in order of their ends, with their jobs and cores. */
    private int count;

    private int[] running = new int[16];
    private int[] place = new int[16];
    private long[] cores = new long[16];
    private long[] end = new long[16];

    MoldedTasks(Molding molding, PlannedTasks tasks) {
        this.molding = molding;
        this.tasks = tasks;
        perCore = tasks.coreParts.perCore();
        millis = new long[tasks.size];
        room = new long[tasks.size];
        first = new int[tasks.size];
        variant = new int[tasks.size];
        Arrays.fill(first, -1);
    }

    /** Adds an unfinished task with its times on the declared cores. Returns the remaining walltime that it needs at least. */
    long left(int at, long itsMillis, long itsRoom, View view) {
        int task = tasks.taskAt[at];
        millis[at] = itsMillis;
        room[at] = itsRoom;
        leftAtFirst += molding.work(task);
        if (view.isRunning(task)) {
            first[at] = isMoldable(at) ? molding.find(task, view.needs(task)) : -1;
        }
        return isMoldable(at) ? Math.min(itsRoom, molding.scaled(task, molding.last(task), itsRoom)) : itsRoom;
    }

    /** The expected run time of a task that runs at first. */
    long running(int at) {
        return first[at] < 0 ? millis[at] : molding.scaled(tasks.taskAt[at], first[at], millis[at]);
    }

    /** A running task is expected to need longer. */
    void lengthen(int at, long expected, long longer, long maxRoom) {
        if (longer > expected) {
            double ratio = (double) longer / Math.max(1, expected);
            millis[at] = Math.round(millis[at] * ratio);
            room[at] = Math.min(maxRoom, Math.round(room[at] * ratio));
        }
    }

    boolean isMoldable(int at) {
        return molding.isMoldable(tasks.taskAt[at]);
    }

    /** The variant of a task that runs at first. */
    int variantOf(int at) {
        return first[at];
    }

    long cores(int itsVariant) {
        return (long) molding.cores(itsVariant) * perCore;
    }

    /** The cores of a variant on each of its nodes. */
    long coresOnEach(int itsVariant) {
        return cores(itsVariant) / nodes(itsVariant);
    }

    int nodes(int itsVariant) {
        return molding.nodes(itsVariant);
    }

    void choose(int at, int itsVariant) {
        variant[at] = itsVariant;
    }

    /** The run time of a task on its chosen cores. */
    long millis(int at) {
        return isMoldable(at) ? scaled(at, variant[at], millis[at]) : millis[at];
    }

    private long scaled(int at, int itsVariant, long time) {
        return itsVariant < 0 ? time : molding.scaled(tasks.taskAt[at], itsVariant, time);
    }

    /** Forgets what was simulated. */
    void restart() {
        remainingWork = leftAtFirst;
        count = 0;
    }

    /** A task starts, or runs at first. */
    void began(int at, int job, long itsCores, long ends) {
        if (count == running.length) {
            running = Arrays.copyOf(running, 2 * count);
            place = Arrays.copyOf(place, 2 * count);
            cores = Arrays.copyOf(cores, 2 * count);
            end = Arrays.copyOf(end, 2 * count);
        }
        int i = count++;
        for (; i > 0 && end[i - 1] > ends; i--) {
            move(i - 1, i);
        }
        running[i] = at;
        place[i] = job;
        cores[i] = itsCores;
        end[i] = ends;
    }

    /** A ready task has started at the present instant. */
    void took(int at, long itsCores) {
        int task = tasks.taskAt[at];
        ready -= weight(task);
        busy += molding.weight(task, millis(at) * itsCores / perCore, within);
        free -= itsCores / perCore;
    }

    private void move(int from, int to) {
        running[to] = running[from];
        place[to] = place[from];
        cores[to] = cores[from];
        end[to] = end[from];
    }

    void finished(int at) {
        remainingWork -= molding.work(tasks.taskAt[at]);
        remove(at);
    }

    /** Removes a task that no longer runs. */
    void remove(int at) {
        int i = 0;
        while (i < count && running[i] != at) {
            i++;
        }
        for (; i + 1 < count; i++) {
            move(i + 1, i);
        }
        count = Math.min(count, i);
    }

    /**
     * Begins an instant at which the jobs that start tasks have some cores, and some of them free.
     *
     * @param ranks the ready tasks, as a bit set of ranks
     */
    void at(long t, long itsCapacity, long itsFree, long[] ranks) {
        now = t;
        capacity = itsCapacity / perCore;
        free = itsFree / perCore;
        within = (double) remainingWork / Math.max(1, capacity);
        for (int i = 0; i < count; i++) {
            within = Math.max(within, (double) molding.path(tasks.taskAt[running[i]], leftOf(i)));
        }
        for (int rank = next(ranks, 0); rank >= 0; rank = next(ranks, rank + 1)) {
            within = Math.max(within, (double) molding.path(taskOf(rank)));
        }
        ready = 0;
        for (int rank = next(ranks, 0); rank >= 0; rank = next(ranks, rank + 1)) {
            ready += weight(taskOf(rank));
        }
        busy = 0;
        for (int i = 0; i < count; i++) {
            busy += molding.weight(tasks.taskAt[running[i]], leftOf(i), within);
        }
    }

    private int taskOf(int rank) {
        return tasks.taskAt[tasks.atRank[rank]];
    }

    private double weight(int task) {
        return molding.weight(task, molding.work(task), within);
    }

    /** Core-milliseconds that are left of a running task. */
    private long leftOf(int i) {
        return Math.max(0, end[i] - now) * cores[i] / perCore;
    }

    /** The first rank in a set from one on; −1 if there is none. */
    private static int next(long[] ranks, int from) {
        for (int word = from >> 6; word < ranks.length; word++) {
            long bits = word == from >> 6 ? ranks[word] & (-1L << from) : ranks[word];
            if (bits != 0) {
                return (word << 6) + Long.numberOfTrailingZeros(bits);
            }
        }
        return -1;
    }

    /** Prepares the choice for a task. */
    void limit(int at) {
        int task = tasks.taskAt[at];
        double each = Math.max(capacity / (ready + busy), free / ready);
        limit = molding.upTo(task, each * weight(task));
    }

    /** The variant on which a task starts now in a job; −1 if it waits. As in the manager. */
    int variant(int at, int job, RolloutJobs jobs) {
        int task = tasks.taskAt[at];
        int nodes = jobs.nodes[job];
        int min = molding.minVariant(task, nodes);
        int best = -1;
        long bestEnd = Long.MAX_VALUE;
        boolean inTime = false;
        for (int v = min; v <= molding.last(task) && (v <= limit || !inTime); v++) {
            if (!couldRun(at, v, job, jobs)) {
                continue;
            }
            boolean isFree = jobs.free[job] >= cores(v);
            long start = isFree ? now : freeAt(job, cores(v) - jobs.free[job]);
            inTime |= start != Long.MAX_VALUE;
            long ends = start == Long.MAX_VALUE ? start : start + scaled(at, v, millis[at]);
            if (ends < bestEnd) {
                bestEnd = ends;
                best = isFree ? v : -1;
            }
        }
        return inTime ? best : fewer(at, min, job, jobs);
    }

    /** Whether a task that starts now on a variant ends before the walltime of a job whose nodes are large enough. */
    private boolean couldRun(int at, int itsVariant, int job, RolloutJobs jobs) {
        return now + scaled(at, itsVariant, room[at]) <= jobs.limit[job]
                && molding.nodes(itsVariant) <= jobs.nodes[job]
                && coresOnEach(itsVariant) <= jobs.coresOnEach(job);
    }

    /** The most cores below the least ones on which a task starts now, where the nodes of a job have less; −1 if it waits. */
    private int fewer(int at, int min, int job, RolloutJobs jobs) {
        for (int v = min - 1; v >= molding.first(tasks.taskAt[at]); v--) {
            if (couldRun(at, v, job, jobs) && jobs.free[job] >= cores(v)) {
                return v;
            }
        }
        return -1;
    }

    /** When some more cores of a job are free. */
    private long freeAt(int job, long more) {
        long missing = more;
        for (int i = 0; i < count; i++) {
            missing -= place[i] == job ? cores[i] : 0;
            if (missing <= 0) {
                return end[i];
            }
        }
        return Long.MAX_VALUE;
    }

    int minNodes(LevelRange range) {
        int max = 1;
        for (int at = range.from; at < range.to; at++) {
            max = Math.max(max, molding.nodes(molding.first(tasks.taskAt[at])));
        }
        return max;
    }

    int maxNodes(LevelRange range, int coresPerNode) {
        long widest = 1;
        for (int level = range.firstLevel(); level <= range.lastLevel(); level++) {
            long parts = 0;
            for (int at = tasks.levelStart[level]; at < tasks.levelStart[level + 1]; at++) {
                int last = molding.last(tasks.taskAt[at]);
                parts += molding.nodes(last) > 1 ? (long) molding.nodes(last) * coresPerNode : cores(last);
            }
            widest = Math.max(widest, (parts + coresPerNode - 1) / coresPerNode);
        }
        return (int) Math.min(Integer.MAX_VALUE, widest);
    }
}
