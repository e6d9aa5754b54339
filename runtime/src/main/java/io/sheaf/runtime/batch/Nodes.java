package io.sheaf.runtime.batch;

/**
 * The nodes of a cluster that a run may use by default.
 *
 * @param count the maximum number of nodes of a job
 * @param cores of each, by default
 * @param memory in bytes, of the largest; 0 if unknown
 */
public record Nodes(int count, int cores, long memory) {}
