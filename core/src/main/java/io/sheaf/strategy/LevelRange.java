package io.sheaf.strategy;

import io.sheaf.text.InputException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Consecutive levels of a workflow and their known run times on n nodes. Created by {@link RunTimes#range}; thread-safe. */
public final class LevelRange {
    static final long NO_LIMIT = ListSchedule.NO_LIMIT;

    private final RunTimes runTimes;
    private final PlannedTasks tasks;
    private final int firstLevel;
    private final int lastLevel;
    /** The first position of its tasks, and the one after them. */
    final int from;

    final int to;
    /** The parts between barriers; empty if there is no barrier inside. */
    final List<LevelRange> parts;

    private final Slots slots;
    private final long criticalPath;
    private final int maxWidth;
    private final int minNodes;
    private final int maxNodes;
    /** From this number of nodes on the makespan is the critical path, because no ready task waits. It never increases. */
    volatile int saturation;
    /** For n nodes: 0 if unknown, 1 + the makespan, or minus a lower bound of it. */
    private volatile AtomicLongArray known = new AtomicLongArray(0);

    LevelRange(RunTimes runTimes, int firstLevel, int lastLevel) {
        this.runTimes = runTimes;
        this.firstLevel = firstLevel;
        this.lastLevel = lastLevel;
        tasks = runTimes.tasks();
        from = tasks.levelStart[firstLevel];
        to = tasks.levelStart[lastLevel + 1];
        parts = betweenBarriers();
        slots = Slots.of(tasks, from, to, runTimes.partsPerNode(), ListSchedule.holds(to - from, time()));
        int widest = 0;
        int nodes = 0;
        for (int level = firstLevel; level <= lastLevel; level++) {
            widest = Math.max(widest, tasks.levelStart[level + 1] - tasks.levelStart[level]);
            nodes = Math.max(nodes, runTimes.levelNodes(level));
        }
        maxWidth = widest;
        maxNodes = nodes;
        minNodes = slots.minNodes();
        criticalPath = parts.isEmpty() ? longestPath() : sumOfParts(LevelRange::criticalPath);
        // Tasks that form one path need no other slots.
        saturation = time() == criticalPath ? minNodes : slots.nodesFor(to - from);
    }

    private List<LevelRange> betweenBarriers() {
        List<LevelRange> found = new ArrayList<>();
        int first = firstLevel;
        for (int level = firstLevel; level < lastLevel; level++) {
            if (tasks.barrierAfter[level]) {
                found.add(runTimes.range(first, level));
                first = level + 1;
            }
        }
        if (first > firstLevel) {
            found.add(runTimes.range(first, lastLevel));
        }
        return List.copyOf(found);
    }

    private long sumOfParts(ToLongFunction<LevelRange> of) {
        long sum = 0;
        for (LevelRange part : parts) {
            sum += of.applyAsLong(part);
        }
        return sum;
    }

    private long longestPath() {
        long[] path = new long[to - from];
        long longest = 0;
        for (int at = to - 1; at >= from; at--) {
            long rest = 0;
            for (int c = tasks.childStart[at]; c < tasks.childStart[at + 1] && tasks.children[c] < to; c++) {
                rest = Math.max(rest, path[tasks.children[c] - from]);
            }
            path[at - from] = rest + tasks.millis[at];
            longest = Math.max(longest, path[at - from]);
        }
        return longest;
    }

    // --- properties ---

    public int firstLevel() {
        return firstLevel;
    }

    public int lastLevel() {
        return lastLevel;
    }

    public int size() {
        return to - from;
    }

    /** Core-milliseconds, or those of parts of cores where tasks share them. */
    public long work() {
        return tasks.workBefore[lastLevel + 1] - tasks.workBefore[firstLevel];
    }

    /** The same with the cores that tasks block because a node has no more memory, GPUs or named resources for others. */
    long blockedWork() {
        return tasks.blockedBefore[lastLevel + 1] - tasks.blockedBefore[firstLevel];
    }

    /** Task-milliseconds. */
    long time() {
        return tasks.timeBefore[lastLevel + 1] - tasks.timeBefore[firstLevel];
    }

    /** The longest sum of run times along a path, in milliseconds. */
    public long criticalPath() {
        return criticalPath;
    }

    /** The number of tasks in the widest level. */
    public int maxWidth() {
        return maxWidth;
    }

    /** The fewest nodes on which every task fits: more than 1 if there are tasks of several nodes. */
    public int minNodes() {
        return minNodes;
    }

    /**
     * Nodes on which every level can run all its tasks at once (tasks of different shape on different nodes): the maximum width in
     * nodes, beyond which the publications do not search.
     */
    public int maxNodes() {
        return maxNodes;
    }

    /** A lower bound of all schedules on n nodes: the critical path, and the work divided by all cores. */
    public long lowerBound(int nodes) {
        return Math.max(criticalPath, share(work(), cores(nodes)));
    }

    /** The cores of n nodes, or their parts if tasks share cores. */
    long cores(int nodes) {
        return (long) nodes * runTimes.partsPerNode();
    }

    private static long share(long work, long among) {
        return work / among + (work % among == 0 ? 0 : 1);
    }

    // --- makespans ---

    /** The makespan on n nodes, in milliseconds. */
    public long millis(int nodes) {
        return millis(nodes, NO_LIMIT);
    }

    /** The makespan on n nodes, or −1 if it is above a limit. */
    long millis(int nodes, long limit) {
        requireEnough(nodes, null);
        long makespan = isKnown(nodes) ? bound(nodes) : compute(nodes, limit);
        return makespan > limit ? -1 : makespan;
    }

    /** Whether the makespan on n nodes is computed, or follows from others. */
    boolean isKnown(int nodes) {
        return nodes >= saturation || entry(nodes) > 0;
    }

    /** The makespan on n nodes if known, otherwise its best known lower bound. */
    long bound(int nodes) {
        if (nodes >= saturation) {
            return criticalPath;
        }
        long entry = entry(nodes);
        if (entry > 0) {
            return entry - 1;
        }
        long bound = parts.isEmpty() ? lowerBound(nodes) : 0;
        for (LevelRange part : parts) {
            bound += part.bound(nodes);
        }
        return Math.max(bound, -entry);
    }

    /** The makespan of the unfinished tasks. */
    long left(int nodes, BitSet done) {
        requireEnough(nodes, done);
        ListSchedule schedule = runTimes.takeSchedule();
        long makespan = slots.makespan(this, schedule, done.isEmpty() ? null : done, nodes, NO_LIMIT);
        runTimes.returnSchedule(schedule);
        return makespan;
    }

    private long compute(int nodes, long limit) {
        if (bound(nodes) > limit) {
            return -1;
        }
        return parts.isEmpty() ? schedule(nodes, limit) : addParts(nodes, limit);
    }

    /** Adds exact makespans of parts while these and the bounds of the other parts stay within the limit. */
    private long addParts(int nodes, long limit) {
        long sum = 0;
        long rest = sumOfParts(part -> part.bound(nodes));
        for (LevelRange part : parts) {
            rest -= part.bound(nodes);
            long makespan = part.millis(nodes, limit == NO_LIMIT ? NO_LIMIT : limit - sum - rest);
            if (makespan < 0) {
                return -1;
            }
            sum += makespan;
        }
        keep(nodes, 1 + sum);
        saturateWithParts();
        return sum;
    }

    private void saturateWithParts() {
        int max = 0;
        for (LevelRange part : parts) {
            max = Math.max(max, part.saturation);
        }
        saturate(max);
    }

    private long schedule(int nodes, long limit) {
        if (slots.isUniform() && slots.places(nodes) == 1) {
            keep(nodes, 1 + time());
            return time();
        }
        ListSchedule schedule = runTimes.takeSchedule();
        boolean branching = slots.isUniform() && size() >= runTimes.large();
        if (branching) {
            requestShorter(nodes, schedule);
        }
        long makespan = slots.makespan(this, schedule, null, nodes, limit);
        keep(nodes, makespan < 0 ? makespan : 1 + makespan);
        if (makespan >= 0) {
            saturate(slots.saturation(schedule));
        }
        if (slots.isUniform()) {
            reportShorter(nodes, schedule);
        }
        if (branching) {
            schedule.branchNowhere();
        }
        runTimes.returnSchedule(schedule);
        return Math.max(makespan, -1);
    }

    /**
     * Ranges that begin at the same level and end earlier have the same schedule until the first start of a task beyond their levels. So this
     * schedule gives bounds for them and, if it is large, their makespans.
     */
    private void requestShorter(int nodes, ListSchedule schedule) {
        for (int level = firstLevel; level < lastLevel; level++) {
            LevelRange shorter = runTimes.rangeIfMade(firstLevel, level);
            if (shorter != null && !shorter.isKnown(nodes)) {
                schedule.branchAfter(level);
            }
        }
    }

    private void reportShorter(int nodes, ListSchedule schedule) {
        for (int level = firstLevel; level < schedule.level; level++) {
            LevelRange shorter = runTimes.rangeIfMade(firstLevel, level);
            if (shorter != null && !shorter.isKnown(nodes)) {
                long bound = share(shorter.time() + schedule.idleBefore(level + 1), slots.places(nodes));
                long makespan = schedule.branch(level);
                // A range at its critical path gets a schedule of its own, which finds its saturation.
                shorter.keep(nodes, makespan > shorter.criticalPath ? 1 + makespan : -bound);
            }
        }
    }

    private void requireEnough(int nodes, @Nullable BitSet done) {
        if (nodes >= minNodes) {
            return;
        }
        if (nodes < 1) {
            throw new IllegalArgumentException(nodes + " nodes");
        }
        for (int at = from; at < to; at++) {
            boolean unfinished = done == null || !done.get(tasks.taskAt[at]);
            if (unfinished && tasks.nodes[at] > nodes) {
                throw new InputException("task '" + runTimes.workflow().id(tasks.taskAt[at]) + "' needs "
                        + tasks.nodes[at] + " nodes, the job has " + nodes + "; allow more nodes, or split the task");
            }
        }
    }

    // --- cache ---

    private long entry(int nodes) {
        AtomicLongArray entries = known;
        return nodes < entries.length() ? entries.get(nodes) : 0;
    }

    /** Stores an entry. Never replaces a makespan, nor a bound by a smaller one, so that values seen by other threads stay valid. */
    private synchronized void keep(int nodes, long entry) {
        AtomicLongArray entries = known.length() > nodes ? known : grown(nodes);
        long old = entries.get(nodes);
        if (old <= 0 && (entry > 0 || entry < old)) {
            entries.set(nodes, entry);
        }
    }

    private AtomicLongArray grown(int nodes) {
        AtomicLongArray old = known;
        int size = Math.max(nodes + 1, Math.min(saturation, nodes + (nodes >> 1) + 16));
        AtomicLongArray entries = new AtomicLongArray(size);
        for (int n = 0; n < old.length(); n++) {
            entries.setPlain(n, old.get(n));
        }
        known = entries;
        return entries;
    }

    private synchronized void saturate(int nodes) {
        saturation = Math.min(saturation, nodes);
    }

    @Override
    public String toString() {
        return "levels " + firstLevel + " to " + lastLevel + ", " + size() + " tasks";
    }
}
