package io.sheaf.runtime.batch;

import io.sheaf.workflow.NamedAmounts;

/**
 * The nodes of a cluster that a run may use by default.
 *
 * @param count the maximum number of nodes of a job
 * @param cores of each, by default
 * @param memory in bytes, of the largest; 0 if unknown
 * @param gpus of the node with the most
 * @param named GPUs of each type, of the node with the most of that type
 */
public record Nodes(int count, int cores, long memory, int gpus, NamedAmounts named) {
    /** Without GPUs, as far as is known. */
    public Nodes(int count, int cores, long memory) {
        this(count, cores, memory, 0, NamedAmounts.NONE);
    }
}
