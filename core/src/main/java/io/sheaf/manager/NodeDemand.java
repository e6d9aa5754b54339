package io.sheaf.manager;

import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * What tasks may need at once of a node besides cores: the largest needs that its cores can run together, at most what the node has.
 *
 * <p>For each resource alone, the tasks with the largest need per core come first until the cores are used. So no binding that the cores allow is
 * prevented by the request, and a job of few tasks requests no whole nodes. If a task specifies its memory, tasks that do not count with their cores'
 * part of a node's memory; if none does, no memory is requested.
 */
final class NodeDemand {
    private final Resources node;
    private final Map<Resources, Integer> counts = new HashMap<>();
    private boolean countsAny;
    private boolean countsMemory;

    NodeDemand(Resources node) {
        this.node = node;
    }

    /** Whether the node has anything but cores that is counted. */
    static boolean isCounted(Resources node) {
        boolean gpus = node.gpus() > 0 && node.gpus() != Resources.UNCOUNTED_GPUS;
        return node.countsMemory() || gpus || node.named().size() > 0;
    }

    void add(Resources needed) {
        counts.merge(needed, 1, Integer::sum);
        countsAny |= needed.memory() > 0 || needed.gpus() > 0 || needed.named().size() > 0;
        countsMemory |= needed.memory() > 0;
    }

    Resources perNode() {
        if (!countsAny) {
            return Resources.ONE_CORE;
        }
        Map<String, Long> named = new TreeMap<>();
        NamedAmounts limits = node.named();
        for (int i = 0; i < limits.size(); i++) {
            String name = limits.name(i);
            named.put(name, largest(needed -> needed.named().amount(name), limits.amount(i)));
        }
        long gpus = node.gpus() == Resources.UNCOUNTED_GPUS ? 0 : largest(Resources::gpus, node.gpus());
        return new Resources(
                1,
                countsMemory && node.countsMemory() ? largest(this::memory, node.memory()) : 0,
                (int) gpus,
                1,
                0,
                NamedAmounts.of(named));
    }

    private long memory(Resources needed) {
        return needed.memory() > 0
                ? needed.memory()
                : (long) ((double) node.memory() * needed.millicores() / ((double) node.cores() * Resources.CORE));
    }

    private long largest(ToLongFunction<Resources> amount, long limit) {
        List<Resources> kinds = new ArrayList<>(counts.keySet());
        kinds.removeIf(kind -> amount.applyAsLong(kind) == 0);
        kinds.sort(Comparator.<Resources>comparingDouble(kind -> -(double) amount.applyAsLong(kind) / kind.millicores())
                .thenComparingLong(kind -> -amount.applyAsLong(kind))
                .thenComparingLong(Resources::millicores));
        long freeMillicores = (long) node.cores() * Resources.CORE;
        long sum = 0;
        long largest = 0;
        for (Resources kind : kinds) {
            // A task that does not fit beside the others may still be alone on a node.
            largest = Math.max(largest, amount.applyAsLong(kind));
            long count = Math.min(counts.getOrDefault(kind, 0), freeMillicores / kind.millicores());
            if (largest >= limit || count > (limit - sum) / amount.applyAsLong(kind)) {
                return limit;
            }
            freeMillicores -= count * kind.millicores();
            sum += count * amount.applyAsLong(kind);
        }
        return Math.max(sum, largest);
    }
}
