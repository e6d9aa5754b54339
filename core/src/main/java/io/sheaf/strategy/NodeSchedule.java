package io.sheaf.strategy;

import io.sheaf.batch.InstantHeap;
import io.sheaf.workflow.Resources;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Greedy list scheduling on nodes with cores, for tasks that need several cores of a node or several nodes.
 *
 * <p>At each date the ready tasks are tried in order. Each starts on the first node (the first k nodes, if it needs k) with enough free cores; a task
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
    /** For each task the linked list of its allocations: an index into the next two arrays, −1 at the end. */
    private final int[] held;

    private int[] placeNode = new int[16];
    private int[] placeNext = new int[16];
    private int unusedPlace;
    private int waiting;
    private boolean waited;
    private int peak;

    NodeSchedule(PlannedTasks tasks, int[] missing) {
        this.tasks = tasks;
        this.missing = missing;
        held = new int[tasks.size];
        full = new boolean[tasks.kinds.length];
        ready = new RankSet[tasks.kinds.length];
        Arrays.setAll(ready, k -> new RankSet(tasks.size));
    }

    boolean waited() {
        return waited;
    }

    /** The maximum number of nodes in use at once: one more than the highest used node number. */
    int peak() {
        return peak;
    }

    /** As {@link ListSchedule#makespan}; work and idle time are in core-milliseconds. */
    long makespan(int from, int to, @Nullable BitSet done, int nodes, int cores, long work, long limit) {
        gather(from, to, done);
        free.reset(nodes, cores);
        resetPlaces();
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
            Resources needed = tasks.kinds[kind];
            int at = tasks.atRank[ready[kind].first()];
            if (place(at, needed)) {
                ready[kind].removeFirst();
                waiting--;
                running.add(now + tasks.millis[at], at, at);
                taken += (long) needed.cores() * needed.nodes();
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

    private boolean place(int at, Resources needed) {
        held[at] = -1;
        int node = -1;
        for (int i = 0; i < needed.nodes(); i++) {
            node = free.first(node + 1, needed.cores());
            if (node < 0) {
                leave(at, needed.cores());
                return false;
            }
            free.take(node, needed.cores());
            hold(at, node);
        }
        peak = Math.max(peak, node + 1);
        return true;
    }

    private void hold(int at, int node) {
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

    private void leave(int at, int cores) {
        int place = held[at];
        while (place >= 0) {
            free.take(placeNode[place], -cores);
            int next = placeNext[place];
            placeNext[place] = unusedPlace;
            unusedPlace = place;
            place = next;
        }
    }

    private long end(int at, int to) {
        Resources needed = tasks.kinds[tasks.kind[at]];
        leave(at, needed.cores());
        for (int c = tasks.childStart[at]; c < tasks.childStart[at + 1] && tasks.children[c] < to; c++) {
            int child = tasks.children[c];
            if (--missing[child] == 0) {
                ready[tasks.kind[child]].add(tasks.rank[child]);
                waiting++;
            }
        }
        return (long) needed.cores() * needed.nodes();
    }

    private void giveUp() {
        running.clear();
        for (RankSet each : ready) {
            each.clear();
        }
    }

    private void resetPlaces() {
        chainPlaces(0);
    }

    private void chainPlaces(int from) {
        for (int place = from; place < placeNext.length; place++) {
            placeNext[place] = place + 1;
        }
        placeNext[placeNext.length - 1] = -1;
        unusedPlace = from;
    }
}
