package io.sheaf.report;

/**
 * A job of somebody else that ran while a run went on; instants in milliseconds.
 *
 * @param id the number that the batch system, or the log, knows it by
 * @param ended {@link Job#NEVER} if it still ran when the run was over
 */
public record Neighbour(int id, int nodes, long submitted, long started, long ended) {}
