package io.sheaf.strategy;

import io.sheaf.manager.View;

/**
 * The stages of a workflow as defined by Souza et al. ("ASA – The adaptive scheduling algorithm", 2.2 and 4.3): consecutive parts that differ in the
 * resources they need.
 *
 * <p>A stage is a sequence of levels that need the same number of nodes to run all their tasks at once, up to a maximum number of cores and the size
 * of the cluster. The paper's Montage, nine steps on one node or on all, has the four stages that the paper names.
 */
record Stages(RunTimes times, int cores) {
    /** No limit on the cores of a stage. */
    static final int ANY_CORES = Integer.MAX_VALUE;

    /** The last level of the stage that a level is in. */
    int last(View view, int level) {
        int last = level;
        int nodes = nodes(view, level);
        while (last + 1 < view.workflow().levels() && nodes(view, last + 1) == nodes) {
            last++;
        }
        return last;
    }

    int nodes(View view, int level) {
        LevelRange range = times.range(level, level);
        int max = Math.min(view.nodes(), nodes(cores, view.coresPerNode()));
        return Math.max(range.minNodes(), Math.min(range.maxNodes(), max));
    }

    static int nodes(int cores, int coresPerNode) {
        return (int) (((long) cores + coresPerNode - 1) / coresPerNode);
    }

    /** The limit on the cores as a parameter in a strategy's name. */
    static String parameter(int cores) {
        return cores == ANY_CORES ? "" : ":cores=" + cores;
    }
}
