package io.sheaf.strategy;

import io.sheaf.text.InputException;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The resources of a node besides cores that plans count: memory, GPUs and named resources, as far as they are limited and tasks need them.
 *
 * <p>If tasks have very many different memory needs, plans round them up to five significant bits, so that they have few {@linkplain PlannedTasks
 * kinds}. Binding counts exactly.
 */
final class OtherResources {
    private static final int MANY_NEEDS = 64;
    private static final int SIGNIFICANT_BITS = 5;

    private final boolean memory;
    private final boolean gpus;
    private final boolean rounded;
    private final NamedAmounts limits;
    private final boolean[] namedUsed;
    /** What a node has of each resource. */
    final long[] capacity;

    OtherResources(Workflow workflow, Resources node) {
        limits = node.named();
        namedUsed = new boolean[limits.size()];
        boolean someMemory = false;
        boolean someGpus = false;
        Set<Long> needs = new HashSet<>();
        for (int task = 0; task < workflow.size(); task++) {
            Resources needed = workflow.resources(task);
            check(workflow.id(task), needed, node);
            someGpus |= needed.gpus() > 0;
            if (needed.memory() > 0 && node.countsMemory()) {
                someMemory = true;
                needs.add(needed.memory());
            }
            for (int i = 0; i < limits.size(); i++) {
                namedUsed[i] |= needed.named().amount(limits.name(i)) > 0;
            }
        }
        memory = someMemory;
        gpus = someGpus && node.gpus() != Resources.UNCOUNTED_GPUS;
        rounded = needs.size() > MANY_NEEDS;
        capacity = amounts(node);
    }

    private static void check(String task, Resources needed, Resources node) {
        String excess = needed.excess(node);
        if (excess != null) {
            throw new InputException("task '" + task + "' needs " + excess);
        }
    }

    /** What a task needs of each resource. */
    long[] needs(Resources needed) {
        long[] all = amounts(needed);
        if (memory && rounded) {
            all[0] = Math.min(capacity[0], roundedUp(all[0]));
        }
        return all;
    }

    /** What a task or a node has of each resource, exactly. */
    long[] amounts(Resources of) {
        List<Long> all = new ArrayList<>();
        if (memory) {
            all.add(of.memory());
        }
        if (gpus) {
            all.add((long) of.gpus());
        }
        for (int i = 0; i < namedUsed.length; i++) {
            if (namedUsed[i]) {
                all.add(of.named().amount(limits.name(i)));
            }
        }
        return all.stream().mapToLong(Long::longValue).toArray();
    }

    private static long roundedUp(long amount) {
        int low = Math.max(0, 64 - Long.numberOfLeadingZeros(amount) - SIGNIFICANT_BITS);
        long unit = 1L << low;
        return (amount + unit - 1) / unit * unit;
    }
}
