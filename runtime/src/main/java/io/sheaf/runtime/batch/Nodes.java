package io.sheaf.runtime.batch;

/**
 * What a run may have of a cluster unless it asks for less.
 *
 * @param count the most nodes of a job
 * @param cores of each, by default
 * @param memory in bytes, of the largest; 0 if that is not known
 */
public record Nodes(int count, int cores, long memory) {}
