package io.sheaf.strategy;

import io.sheaf.batch.Pools;
import io.sheaf.manager.View;
import io.sheaf.workflow.Resources;

/** What a node of each pool has for the tasks of a plan, by pool number; equal for all pools unless nodes differ. Immutable. */
final class PoolNodes {
    /** In {@linkplain CoreParts parts} of cores if tasks share them. */
    final int[] cores;

    /** By pool and {@linkplain OtherResources other resource}. */
    final long[][] otherAmounts;

    /** What a task of a kind blocks, by pool, other resource and kind. */
    final long[][][] blocked;

    /** Whether what a kind needs beside cores fits, by pool and kind; empty for pools on whose nodes every task fits. */
    private final boolean[][] fits;

    PoolNodes(PlannedTasks tasks, View view) {
        Pools pools = view.pools();
        int count = pools.count() + 1;
        cores = new int[count];
        otherAmounts = new long[count][];
        blocked = new long[count][][];
        fits = new boolean[count][0];
        for (int pool = 0; pool < count; pool++) {
            boolean defaultNode = pool == Pools.ANY || pools.pool(pool).node() == null;
            Resources node = defaultNode ? view.node() : view.node(pool);
            cores[pool] = tasks.coreParts.of(node.cores());
            otherAmounts[pool] = defaultNode ? tasks.otherCapacity : tasks.counted.amounts(node);
            blocked[pool] = defaultNode ? tasks.otherBlocked : TaskKinds.blocked(tasks.otherNeeds, otherAmounts[pool]);
            fits[pool] = defaultNode ? fits[pool] : fitting(tasks, pool);
        }
    }

    private boolean[] fitting(PlannedTasks tasks, int pool) {
        boolean[] fits = new boolean[tasks.kindCores.length];
        for (int kind = 0; kind < fits.length; kind++) {
            fits[kind] = true;
            for (int r = 0; r < otherAmounts[pool].length; r++) {
                fits[kind] &= tasks.otherNeeds[r][kind] <= otherAmounts[pool][r];
            }
        }
        return fits;
    }

    /** Whether a task of a kind that uses some cores of each node fits on a node of a pool. */
    boolean has(int pool, int kind, long onEach) {
        return fits[pool].length == 0 || (fits[pool][kind] && onEach <= cores[pool]);
    }
}
