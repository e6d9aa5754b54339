package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import java.util.Arrays;

/**
 * The cores of a pilot job's nodes that several tasks share, each of which needs a part of one core, and how much of each is taken, in thousandths.
 *
 * <p>A task has its part of one core, not a little of several. So that the manager and the agent of a node never disagree about what fits, shared cores
 * have numbers, which count from 0 on each node; which core of the machine a number is, the agent decides. A core of which no part is in use is a whole one again.
 */
final class SharedCores {
    /** In place of a core's number: a task that has whole cores. */
    static final int NONE = -1;

    private static final int[] NO_CORES = {};

    /** What is taken of each shared core of each node, as far as nodes ever had one. */
    private int[][] taken = {};

    private int room;

    /** Takes over what another one has. */
    void take(SharedCores from) {
        room = from.room;
        taken = new int[from.taken.length][];
        Arrays.setAll(taken, node -> from.taken[node].clone());
    }

    /** What is free of the shared cores of all nodes. */
    int room() {
        return room;
    }

    private int[] of(int node) {
        return node < taken.length ? taken[node] : NO_CORES;
    }

    /** The shared core of a node that fits best: the fullest that has so much left; {@link #NONE} if none has. */
    int fitting(int node, int share) {
        int[] there = of(node);
        int best = NONE;
        for (int core = 0; core < there.length; core++) {
            boolean fits = there[core] > 0 && there[core] + share <= Resources.CORE;
            if (fits && (best < 0 || there[core] > there[best])) {
                best = core;
            }
        }
        return best;
    }

    /** The lowest number that no shared core of a node has. */
    int unused(int node) {
        int[] there = of(node);
        int core = 0;
        while (core < there.length && there[core] > 0) {
            core++;
        }
        return core;
    }

    /** A part of a core is taken. */
    void add(int node, int core, int share) {
        if (node >= taken.length) {
            int before = taken.length;
            taken = Arrays.copyOf(taken, node + 1);
            Arrays.fill(taken, before, node + 1, NO_CORES);
        }
        if (core >= taken[node].length) {
            taken[node] = Arrays.copyOf(taken[node], core + 1);
        }
        room += (taken[node][core] == 0 ? Resources.CORE : 0) - share;
        taken[node][core] += share;
    }

    /** A part of a core comes back; whether no part of it is in use any more. */
    boolean remove(int node, int core, int share) {
        taken[node][core] -= share;
        boolean last = taken[node][core] == 0;
        room += share - (last ? Resources.CORE : 0);
        return last;
    }

    /** A node is gone, and its cores with it. */
    void lose(int node) {
        for (int part : of(node)) {
            room -= part == 0 ? 0 : Resources.CORE - part;
        }
        if (node < taken.length) {
            taken[node] = NO_CORES;
        }
    }

    /** Tells what is shared, and nothing where no core is. */
    void describe(StringBuilder text) {
        for (int node = 0; node < taken.length; node++) {
            int used = taken[node].length;
            while (used > 0 && taken[node][used - 1] == 0) {
                used--;
            }
            if (used > 0) {
                text.append(" shared ").append(node);
                text.append(Arrays.toString(Arrays.copyOf(taken[node], used)));
            }
        }
    }
}
