package io.sheaf.report;

/**
 * A background job that ran during a run; instants in milliseconds.
 *
 * @param id the number that the batch system, or the log, knows it by
 * @param ended {@link Job#NEVER} if it still ran when the run was over
 */
public record Neighbour(int id, int nodes, long submitted, long started, long ended) {}
