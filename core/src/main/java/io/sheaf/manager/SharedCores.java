package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import java.util.Arrays;

/**
 * The cores of a pilot job's nodes that several tasks share, and the allocated part of each, in thousandths.
 *
 * <p>A task has its part on one core. Shared cores are numbered from 0 on each node, so that the manager and the agent always agree about what fits.
 * The agent maps a number to a core of the machine. A core without allocated parts becomes a whole core again.
 */
final class SharedCores {
    /** Stands for the core of a task that has whole cores. */
    static final int NONE = -1;

    private static final int[] NO_CORES = {};

    /** The allocated part of each shared core of each node. */
    private int[][] used = {};

    int room;

    /** Copies the state of another instance. */
    void copyFrom(SharedCores from) {
        room = from.room;
        used = new int[from.used.length][];
        Arrays.setAll(used, node -> from.used[node].clone());
    }

    private int[] of(int node) {
        return node < used.length ? used[node] : NO_CORES;
    }

    /** The best-fitting shared core of a node: the fullest with this share free; {@link #NONE} if there is none. */
    int fitting(int node, int share) {
        int[] cores = of(node);
        int best = NONE;
        for (int core = 0; core < cores.length; core++) {
            boolean fits = cores[core] > 0 && cores[core] + share <= Resources.CORE;
            if (fits && (best < 0 || cores[core] > cores[best])) {
                best = core;
            }
        }
        return best;
    }

    /** The lowest unused number of a shared core of a node. */
    int unused(int node) {
        int[] cores = of(node);
        int core = 0;
        while (core < cores.length && cores[core] > 0) {
            core++;
        }
        return core;
    }

    /** Allocates a part of a core. */
    void add(int node, int core, int share) {
        if (node >= used.length) {
            int before = used.length;
            used = Arrays.copyOf(used, node + 1);
            Arrays.fill(used, before, node + 1, NO_CORES);
        }
        if (core >= used[node].length) {
            used[node] = Arrays.copyOf(used[node], core + 1);
        }
        room += (used[node][core] == 0 ? Resources.CORE : 0) - share;
        used[node][core] += share;
    }

    /** Frees a part of a core. Returns whether the core is now unused. */
    boolean remove(int node, int core, int share) {
        used[node][core] -= share;
        boolean last = used[node][core] == 0;
        room += share - (last ? Resources.CORE : 0);
        return last;
    }

    /** Removes a lost node. */
    void lose(int node) {
        for (int part : of(node)) {
            room -= part == 0 ? 0 : Resources.CORE - part;
        }
        if (node < used.length) {
            used[node] = NO_CORES;
        }
    }
}
