package io.sheaf.strategy;

import io.sheaf.batch.InstantHeap;
import io.sheaf.workflow.RankSet;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Greedy list scheduling on nodes with cores, for tasks that need several cores of a node or several nodes.
 *
 * <p>At each date the ready tasks are tried in order. Each starts on the first node (the first k nodes, if it needs k) with enough free cores and other resources; a task
 * that does not fit is skipped. If a task of some shape does not fit, no other task of this shape fits at that date. So the ready tasks are grouped
 * by shape.
 */
final class NodeSchedule {
    private final PlannedTasks tasks;
    private final int[] missing;
    private final RankSet[] ready;
    private final boolean[] full;
    private final InstantHeap running = new InstantHeap();
    private final FreeCores free = new FreeCores();
    /** For each other resource the free amount of each node. */
    private final long[][] freeOthers;

    /** For each task the linked list of its allocations: an index into the next two arrays, −1 at the end. */
    private final int[] held;

    private int[] placeNode = new int[16];
    private int[] placeNext = new int[16];
    private int unusedPlace;
    private int waiting;
    /** As in {@link ListSchedule}. */
    boolean waited;

    /** The maximum number of nodes in use at once: one more than the highest used node number. */
    int peak;

    NodeSchedule(PlannedTasks tasks, int[] missing) {
        this.tasks = tasks;
        this.missing = missing;
        held = new int[tasks.size];
        full = new boolean[tasks.kindCores.length];
        ready = new RankSet[tasks.kindCores.length];
        freeOthers = new long[tasks.otherCapacity.length][0];
        Arrays.setAll(ready, k -> new RankSet(tasks.size));
    }

    /** As {@link ListSchedule#makespan}; work and idle time are in core-milliseconds. */
    long makespan(int from, int to, @Nullable BitSet done, int nodes, int cores, long work, long limit) {
        gather(from, to, done);
        free.reset(nodes, cores);
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r] = freeOthers[r].length < nodes ? new long[nodes] : freeOthers[r];
            Arrays.fill(freeOthers[r], 0, nodes, tasks.otherCapacity[r]);
        }
        chainPlaces(0);
        waited = false;
        peak = 0;
        long allCores = (long) nodes * cores;
        long idleCores = allCores;
        long now = 0;
        long lost = work;
        while (true) {
            idleCores -= start(now);
            waited |= waiting > 0;
            if (running.isEmpty()) {
                return now;
            }
            long next = running.first();
            lost += idleCores * (next - now);
            if (lost / allCores > limit) {
                giveUp();
                return -lost / allCores;
            }
            now = next;
            while (!running.isEmpty() && running.first() == now) {
                idleCores += end(running.remove(), to);
            }
        }
    }

    private void gather(int from, int to, @Nullable BitSet done) {
        waiting = 0;
        for (int at = from; at < to; at++) {
            missing[at] = ListSchedule.missing(tasks, at, from, done);
            if (missing[at] == 0) {
                ready[tasks.kind[at]].add(tasks.rank[at]);
                waiting++;
            }
        }
    }

    /** Starts the tasks that fit. Returns the number of allocated cores. */
    private long start(long now) {
        Arrays.fill(full, false);
        long taken = 0;
        int kind = firstKind();
        while (kind >= 0) {
            int at = tasks.atRank[ready[kind].first()];
            if (place(at, kind)) {
                ready[kind].removeFirst();
                waiting--;
                running.add(now + tasks.millis[at], at, at);
                taken += tasks.cores[at];
            } else {
                full[kind] = true;
            }
            kind = firstKind();
        }
        return taken;
    }

    /** The shape of the first ready task among the shapes that may still fit; −1 if there is none. */
    private int firstKind() {
        int best = -1;
        int bestRank = Integer.MAX_VALUE;
        for (int kind = 0; kind < ready.length; kind++) {
            if (!full[kind] && !ready[kind].isEmpty() && ready[kind].first() < bestRank) {
                bestRank = ready[kind].first();
                best = kind;
            }
        }
        return best;
    }

    private boolean place(int at, int kind) {
        held[at] = -1;
        int node = -1;
        for (int i = 0; i < tasks.kindNodes[kind]; i++) {
            node = first(node + 1, kind);
            if (node < 0) {
                leave(at, kind);
                return false;
            }
            free.allocate(node, tasks.kindCores[kind]);
            count(node, kind, 1);
            allocate(at, node);
        }
        peak = Math.max(peak, node + 1);
        return true;
    }

    /** The first node from this one on with enough of everything; −1 if there is none. */
    private int first(int from, int kind) {
        int node = free.first(from, tasks.kindCores[kind]);
        while (node >= 0 && !hasOthers(node, kind)) {
            node = free.first(node + 1, tasks.kindCores[kind]);
        }
        return node;
    }

    private boolean hasOthers(int node, int kind) {
        for (int r = 0; r < freeOthers.length; r++) {
            if (freeOthers[r][node] < tasks.otherNeeds[r][kind]) {
                return false;
            }
        }
        return true;
    }

    /** Allocates other resources or, with sign −1, frees them. */
    private void count(int node, int kind, int sign) {
        for (int r = 0; r < freeOthers.length; r++) {
            freeOthers[r][node] -= sign * tasks.otherNeeds[r][kind];
        }
    }

    private void allocate(int at, int node) {
        if (unusedPlace < 0) {
            int size = placeNode.length;
            placeNode = Arrays.copyOf(placeNode, 2 * size);
            placeNext = Arrays.copyOf(placeNext, 2 * size);
            chainPlaces(size);
        }
        int place = unusedPlace;
        unusedPlace = placeNext[place];
        placeNode[place] = node;
        placeNext[place] = held[at];
        held[at] = place;
    }

    private void leave(int at, int kind) {
        int place = held[at];
        while (place >= 0) {
            free.allocate(placeNode[place], -tasks.kindCores[kind]);
            count(placeNode[place], kind, -1);
            int next = placeNext[place];
            placeNext[place] = unusedPlace;
            unusedPlace = place;
            place = next;
        }
    }

    private long end(int at, int to) {
        leave(at, tasks.kind[at]);
        for (int c = tasks.childStart[at]; c < tasks.childStart[at + 1] && tasks.children[c] < to; c++) {
            int child = tasks.children[c];
            if (--missing[child] == 0) {
                ready[tasks.kind[child]].add(tasks.rank[child]);
                waiting++;
            }
        }
        return tasks.cores[at];
    }

    private void giveUp() {
        running.clear();
        for (RankSet each : ready) {
            each.clear();
        }
    }

    private void chainPlaces(int from) {
        for (int place = from; place < placeNext.length; place++) {
            placeNext[place] = place + 1;
        }
        placeNext[placeNext.length - 1] = -1;
        unusedPlace = from;
    }
}
