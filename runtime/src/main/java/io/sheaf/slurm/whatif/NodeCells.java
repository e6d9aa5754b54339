package io.sheaf.slurm.whatif;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pools of an engine for a snapshot: our pools with their nodes in service, the sets of nodes that queued jobs of
 * other users may use, and the cells into which all of these divide the nodes.
 *
 * <p>Our pools keep their numbers. A running job is one of a cell for each cell in which it has nodes. Without pools of
 * ours there are none, and every number is {@link Pools#ANY}.
 */
final class NodeCells {
    private final Pools pools;
    private final Map<BitSet, Integer> numbers = new LinkedHashMap<>();
    private final int[] cellOf;

    /**
     * Divides the nodes.
     *
     * @param others the sets of nodes, by index, that queued jobs may use
     */
    NodeCells(Pools ours, PartitionNodes nodes, Collection<BitSet> others) {
        cellOf = new int[nodes.size()];
        List<Pool> all = new ArrayList<>();
        for (Pool pool : ours.all()) {
            all.add(pool.on(nodes.of(pool)));
        }
        if (all.isEmpty()) {
            pools = Pools.NONE;
            return;
        }
        for (int number = 1; number <= all.size(); number++) {
            numbers.putIfAbsent(all.get(number - 1).nodes(), number);
        }
        others.forEach(set -> add(set, all));
        Map<BitSet, BitSet> cells = new LinkedHashMap<>();
        for (int node = 0; node < cellOf.length; node++) {
            BitSet of = new BitSet();
            for (int i = 0; i < all.size(); i++) {
                of.set(i, all.get(i).nodes().get(node));
            }
            cells.computeIfAbsent(of, each -> new BitSet()).set(node);
        }
        for (BitSet cell : cells.values()) {
            int number = add(cell, all);
            cell.stream().forEach(node -> cellOf[node] = number);
        }
        pools = Pools.of(all);
    }

    private int add(BitSet set, List<Pool> all) {
        return numbers.computeIfAbsent(set, each -> {
            all.add(new Pool("", each, JobLimits.NONE, 0, 1, 0));
            return all.size();
        });
    }

    Pools pools() {
        return pools;
    }

    int number(BitSet set) {
        return numbers.getOrDefault(set, Pools.ANY);
    }

    int cell(int node) {
        return cellOf[node];
    }
}
