package io.sheaf.strategy;

import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The different needs of tasks: cores and nodes, and {@linkplain OtherResources other resources} where plans count them. */
final class TaskKinds {
    private record Kind(int cores, int nodes, List<Long> otherNeeds) {}

    private final CoreParts coreParts;
    private final OtherResources counted;
    private final int partsPerNode;
    private final Map<Resources, Integer> byNeed = new HashMap<>();
    private final List<Kind> kinds = new ArrayList<>();

    TaskKinds(CoreParts coreParts, OtherResources counted, int coresPerNode) {
        this.coreParts = coreParts;
        this.counted = counted;
        partsPerNode = coreParts.of(coresPerNode);
    }

    /** The kind of a task, numbered in the order of first calls. */
    int of(Resources needed) {
        Integer known = byNeed.get(needed);
        if (known != null) {
            return known;
        }
        List<Long> otherNeeds = Arrays.stream(counted.needs(needed)).boxed().toList();
        Kind kind = new Kind(coreParts.of(needed), needed.nodes(), otherNeeds);
        int number = kinds.indexOf(kind);
        if (number < 0) {
            number = kinds.size();
            kinds.add(kind);
        }
        byNeed.put(needed, number);
        return number;
    }

    /** Cores on each node, in parts of cores if tasks share them. */
    int[] cores() {
        return kinds.stream().mapToInt(Kind::cores).toArray();
    }

    int[] nodes() {
        return kinds.stream().mapToInt(Kind::nodes).toArray();
    }

    /** For each other resource the need of each kind. */
    long[][] others() {
        long[][] all = new long[counted.capacity.length][kinds.size()];
        for (int r = 0; r < all.length; r++) {
            int resource = r;
            Arrays.setAll(all[r], kind -> kinds.get(kind).otherNeeds.get(resource));
        }
        return all;
    }

    /** How many tasks of each kind a node runs at once. */
    int[] onANode() {
        int[] all = new int[kinds.size()];
        for (int kind = 0; kind < all.length; kind++) {
            all[kind] = partsPerNode / kinds.get(kind).cores;
            for (int r = 0; r < counted.capacity.length; r++) {
                all[kind] = (int) Math.min(all[kind], together(r, kind));
            }
        }
        return all;
    }

    private long together(int resource, int kind) {
        long need = kinds.get(kind).otherNeeds.get(resource);
        return need == 0 ? Integer.MAX_VALUE : counted.capacity[resource] / need;
    }

    /**
     * What a task of each kind blocks of an other resource: equal parts of a node, so that totals allow no more tasks than nodes do.
     *
     * @param needs by resource and kind
     * @param capacity what a node has; a task that does not fit blocks more
     */
    static long[][] blocked(long[][] needs, long[] capacity) {
        long[][] all = new long[needs.length][];
        for (int r = 0; r < all.length; r++) {
            long max = capacity[r];
            all[r] = Arrays.stream(needs[r])
                    .map(need -> need == 0 ? 0 : need > max ? need : max / (max / need))
                    .toArray();
        }
        return all;
    }
}
