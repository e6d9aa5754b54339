package io.sheaf.strategy;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;

/**
 * GPUs in plans: a task counts with at least the share of a node's cores that it has of the node's GPUs.
 *
 * <p>Plans count cores only. g of G GPUs count as ⌈g C / G⌉ of C cores, so no plan puts more tasks on a node than its GPUs allow. Plans may be too
 * pessimistic, because tasks without GPUs could use the remaining cores; binding counts both.
 */
public final class GpuShares {
    private GpuShares() {}

    /** The workflow for plans: itself if none of its tasks uses GPUs, or nodes have none. */
    public static Workflow planned(Workflow workflow, int coresPerNode, int gpusPerNode) {
        WorkflowBuilder builder = null;
        for (int task = 0; gpusPerNode > 0 && task < workflow.size(); task++) {
            Resources needed = workflow.resources(task);
            if (needed.gpus() > 0) {
                builder = builder == null ? workflow.extend() : builder;
                builder.resources(task, shared(needed, coresPerNode, gpusPerNode));
            }
        }
        return builder == null ? workflow : builder.build();
    }

    private static Resources shared(Resources needed, int coresPerNode, int gpusPerNode) {
        long cores = ((long) needed.gpus() * coresPerNode + gpusPerNode - 1) / gpusPerNode;
        return new Resources((int) Math.max(needed.cores(), cores), needed.memory(), needed.gpus(), needed.nodes());
    }
}
