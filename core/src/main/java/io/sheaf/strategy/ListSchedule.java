package io.sheaf.strategy;

import io.sheaf.workflow.RankSet;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Greedy list scheduling on identical slots, each of which runs one task at a time. Reuses its scratch memory; not thread-safe.
 *
 * <p>At each date, ending tasks free their slots and make their children ready; then ready tasks start in rank order while slots are free. A task of
 * zero run time ends at the date of its start, after all tasks that start with it.
 *
 * <p>A schedule is abandoned when it cannot stay within a limit. The makespan is at least (work + idle time so far) / slots, and at least the date of
 * each start plus the longest path from there. These bounds do not consider completed tasks, so limits apply to schedules of all tasks only.
 */
final class ListSchedule {
    /** No limit on the makespan. */
    static final long NO_LIMIT = Long.MAX_VALUE;

    /** A makespan that is requested, and one that is not. */
    private static final long WANTED = -1;

    private static final long NOT_WANTED = -2;

    /** The parent count of a task outside of the schedule. */
    private static final int NEVER_READY = Integer.MAX_VALUE;

    private final PlannedTasks tasks;
    private final int[] missing;
    private final RankSet ready;
    private final EndTree running = new EndTree();
    /** For the positions measured, the longest path from a task's start on. */
    private final long[] tail;

    private int measuredFrom;
    private int measuredTo;
    private long measured;
    private int[] freeSlots = {};
    private int[] taskOf = {};
    private int free;
    /** Created on demand: few workflows have tasks of several shapes. */
    private @Nullable NodeSchedule nodes;

    /** The first position of the schedule, and the one after its last. */
    private int first;

    private int end;
    /** The last level of which the last schedule started a task. */
    int level;

    private int nextLevelAt;
    private long idle;
    private final long[] idleBefore;
    private final long[] branches;
    private @Nullable ListSchedule branch;
    /** Whether a ready task had to wait in the last completed schedule. */
    boolean waited;

    /** The maximum number of slots in use at once in the last schedule. */
    int peak;

    ListSchedule(PlannedTasks tasks) {
        this.tasks = tasks;
        missing = new int[tasks.size];
        tail = new long[tasks.size];
        idleBefore = new long[tasks.levels];
        branches = new long[tasks.levels];
        branchNowhere();
        ready = new RankSet(tasks.size);
    }

    /** For tasks of several shapes: list scheduling on nodes with cores. */
    NodeSchedule onNodes() {
        NodeSchedule created = nodes;
        if (created == null) {
            created = new NodeSchedule(tasks, missing);
            nodes = created;
        }
        return created;
    }

    /** Whether dates up to this one and a slot number fit into one long. */
    static boolean holds(int slots, long lastDate) {
        return lastDate < Long.MAX_VALUE >> (32 - Integer.numberOfLeadingZeros(slots));
    }

    /** The total idle time of slots in the last schedule before it started the first task of a level. */
    long idleBefore(int reached) {
        return idleBefore[reached];
    }

    /** Makes the next schedule also compute the makespan up to a level. */
    void branchAfter(int last) {
        branches[last] = WANTED;
    }

    /** The makespan up to a level, if the last schedule computed it; otherwise less than 0. */
    long branch(int last) {
        return branches[last];
    }

    /** Removes all branches from the next schedules. */
    void branchNowhere() {
        Arrays.fill(branches, NOT_WANTED);
    }

    /** The makespan of the unfinished tasks between two positions; if it exceeds the limit, minus a lower bound that exceeds the limit, too. */
    long makespan(int from, int to, @Nullable BitSet done, int slots, long limit) {
        gather(from, to, done);
        reset(slots);
        first = from;
        end = to;
        toNextLevel(from);
        return run(0, slots, limit, limit == NO_LIMIT ? 0 : measure(from, to));
    }

    private long run(long from, int slots, long limit, long work) {
        long now = from;
        while (true) {
            long atLeast = start(now, slots, limit);
            if (atLeast > limit) {
                ready.clear();
                return -atLeast;
            }
            waited |= !ready.isEmpty();
            peak = Math.max(peak, slots - free);
            if (running.isEmpty()) {
                return now;
            }
            long next = running.firstDate();
            idle += free * (next - now);
            if ((work + idle) / slots > limit) {
                ready.clear();
                return -((work + idle) / slots);
            }
            now = next;
            do {
                end();
            } while (running.firstDate() == now);
        }
    }

    private void reset(int slots) {
        if (freeSlots.length < slots) {
            freeSlots = new int[slots];
            taskOf = new int[slots];
        }
        for (int slot = 0; slot < slots; slot++) {
            freeSlots[slot] = slot;
        }
        free = slots;
        running.reset(slots);
        idle = 0;
        waited = false;
        peak = 0;
    }

    /** Starts ready tasks. Returns a lower bound of the makespan if it exceeds the limit. */
    private long start(long now, int slots, long limit) {
        while (free > 0 && !ready.isEmpty()) {
            int at = tasks.atRank[ready.removeFirst()];
            if (at >= nextLevelAt) {
                if (at >= end) {
                    // Only in a branch: the original schedule had already started tasks beyond these levels.
                    continue;
                }
                reach(now, slots);
            }
            if (limit != NO_LIMIT && now + tail[at] > limit) {
                return now + tail[at];
            }
            int slot = freeSlots[--free];
            taskOf[slot] = at;
            running.set(slot, now + tasks.millis[at]);
        }
        return 0;
    }

    /** A task of the next level is about to start: until here the schedule does not depend on that level. */
    private void reach(long now, int slots) {
        idleBefore[level + 1] = idle;
        if (branches[level] == WANTED) {
            ListSchedule other = branch == null ? new ListSchedule(tasks) : branch;
            branch = other;
            other.copy(this, slots);
            branches[level] = other.run(now, slots, NO_LIMIT, 0);
        }
        toNextLevel(nextLevelAt);
    }

    /** Copies the state of a schedule, without later levels. */
    private void copy(ListSchedule other, int slots) {
        first = other.first;
        end = other.nextLevelAt;
        nextLevelAt = end;
        System.arraycopy(other.missing, first, missing, first, end - first);
        ready.copy(other.ready);
        reset(slots);
        running.copy(other.running);
        free = other.free;
        System.arraycopy(other.freeSlots, 0, freeSlots, 0, free);
        System.arraycopy(other.taskOf, 0, taskOf, 0, slots);
    }

    private void toNextLevel(int firstOfLevel) {
        level = tasks.level[firstOfLevel];
        nextLevelAt = tasks.levelStart[level + 1];
    }

    /** Computes the longest path from each task's start, unless done before. Returns the sum of all run times. */
    private long measure(int from, int to) {
        if (measuredFrom == from && measuredTo == to) {
            return measured;
        }
        measured = 0;
        for (int at = to - 1; at >= from; at--) {
            long rest = 0;
            for (int c = tasks.childStart[at]; c < tasks.childStart[at + 1] && tasks.children[c] < to; c++) {
                rest = Math.max(rest, tail[tasks.children[c]]);
            }
            tail[at] = rest + tasks.millis[at];
            measured += tasks.millis[at];
        }
        measuredFrom = from;
        measuredTo = to;
        return measured;
    }

    /** Ends the task with the earliest end. */
    private void end() {
        int slot = running.firstSlot();
        running.setIdle(slot);
        freeSlots[free++] = slot;
        int at = taskOf[slot];
        int last = tasks.childStart[at + 1];
        for (int c = tasks.childStart[at]; c < last; c++) {
            int child = tasks.children[c];
            if (child >= end) {
                break;
            }
            if (--missing[child] == 0) {
                ready.add(tasks.rank[child]);
            }
        }
    }

    /** Counts the parents that each task waits for, and finds the ready ones. Parents before the first position are done. */
    private void gather(int from, int to, @Nullable BitSet done) {
        for (int at = from; at < to; at++) {
            int parents = missing(tasks, at, from, done);
            missing[at] = parents;
            if (parents == 0) {
                ready.add(tasks.rank[at]);
            }
        }
    }

    /** The number of parents that a task waits for; a completed task never becomes ready. */
    static int missing(PlannedTasks tasks, int at, int from, @Nullable BitSet done) {
        int parents = tasks.parentsFrom(at, from);
        if (done == null) {
            return parents;
        }
        if (done.get(tasks.taskAt[at])) {
            return NEVER_READY;
        }
        int remaining = 0;
        for (int p = tasks.parentStart[at + 1] - parents; p < tasks.parentStart[at + 1]; p++) {
            remaining += done.get(tasks.taskAt[tasks.parents[p]]) ? 0 : 1;
        }
        return remaining;
    }
}
