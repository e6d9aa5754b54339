package io.sheaf.strategy;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Greedy list scheduling on identical slots, each of which runs one task at a time; the scratch memory is used again and again, by one
 * thread at a time.
 *
 * <p>At each date the tasks that end free their slots and make their children ready; then the ready tasks start in the order of their
 * ranks while there are free slots. A task that takes no time ends at the date of its start, after all that start with it.
 *
 * <p>A schedule may be given up: idle slots are lost for ever, so the makespan is at least (work + idle so far) / slots.
 */
final class ListSchedule {
    /** What a task outside of the schedule waits for. */
    private static final int NEVER_READY = Integer.MAX_VALUE;

    private final PlannedTasks tasks;
    private final int[] missing;
    private final RankSet ready;
    private final EndHeap running = new EndHeap();
    private final int taskBits;
    private final int taskMask;
    /** Made when first needed: few workflows have tasks of several shapes. */
    private @Nullable NodeSchedule nodes;

    private boolean waited;
    private int peak;

    ListSchedule(PlannedTasks tasks) {
        this.tasks = tasks;
        missing = new int[tasks.size];
        ready = new RankSet(tasks.size);
        taskBits = bits(tasks.size);
        taskMask = (1 << taskBits) - 1;
    }

    /** For tasks of several shapes: list scheduling on nodes with cores. */
    NodeSchedule onNodes() {
        NodeSchedule made = nodes;
        if (made == null) {
            made = new NodeSchedule(tasks, missing);
            nodes = made;
        }
        return made;
    }

    /** Whether dates up to this one can be told together with a task in one long. */
    static boolean holds(PlannedTasks tasks, long lastDate) {
        return lastDate < Long.MAX_VALUE >> bits(tasks.size);
    }

    private static int bits(int size) {
        return 32 - Integer.numberOfLeadingZeros(size);
    }

    /** Whether in the last schedule that was not given up a ready task ever had to wait. */
    boolean waited() {
        return waited;
    }

    /** The most slots in use at once in the last schedule. */
    int peak() {
        return peak;
    }

    /**
     * The makespan of the tasks from one position up to another one, without those that are done; or, if the slots are idle for
     * longer than allowed (their idle times added up, before the last end), −1 − (the idle time when it was given up).
     */
    long makespan(int from, int to, @Nullable BitSet done, int slots, long idleAllowed) {
        gather(tasks, missing, from, to, done, ready);
        waited = false;
        peak = 0;
        int free = slots;
        long now = 0;
        long idle = 0;
        while (true) {
            while (free > 0 && !ready.isEmpty()) {
                int at = tasks.atRank[ready.removeFirst()];
                running.add(((now + tasks.millis[at]) << taskBits) | at);
                free--;
            }
            waited |= !ready.isEmpty();
            peak = Math.max(peak, slots - free);
            if (running.isEmpty()) {
                return now;
            }
            long next = running.first() >>> taskBits;
            idle += free * (next - now);
            if (idle > idleAllowed) {
                ready.clear();
                running.clear();
                return -1 - idle;
            }
            now = next;
            free += end(now, to);
        }
    }

    /** Ends all tasks that end now; their number. */
    private int end(long now, int to) {
        int ended = 0;
        do {
            long key = running.first();
            if (key >>> taskBits != now) {
                break;
            }
            running.removeFirst();
            ended++;
            int at = (int) key & taskMask;
            int last = tasks.childStart[at + 1];
            for (int c = tasks.childStart[at]; c < last; c++) {
                int child = tasks.children[c];
                if (child >= to) {
                    break;
                }
                if (--missing[child] == 0) {
                    ready.add(tasks.rank[child]);
                }
            }
        } while (!running.isEmpty());
        return ended;
    }

    /** Counts what each task waits for, and finds those that wait for nothing. Parents before the first position are done. */
    private static void gather(
            PlannedTasks tasks, int[] missing, int from, int to, @Nullable BitSet done, RankSet ready) {
        for (int at = from; at < to; at++) {
            int parents = missing(tasks, at, from, done);
            missing[at] = parents;
            if (parents == 0) {
                ready.add(tasks.rank[at]);
            }
        }
    }

    /** How many parents a task waits for; a done one is never to become ready. */
    static int missing(PlannedTasks tasks, int at, int from, @Nullable BitSet done) {
        int parents = tasks.parentsFrom(at, from);
        if (done == null) {
            return parents;
        }
        if (done.get(tasks.taskAt[at])) {
            return NEVER_READY;
        }
        int left = 0;
        for (int p = tasks.parentStart[at + 1] - parents; p < tasks.parentStart[at + 1]; p++) {
            left += done.get(tasks.taskAt[tasks.parents[p]]) ? 0 : 1;
        }
        return left;
    }
}
