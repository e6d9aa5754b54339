package io.sheaf.report;

/**
 * A background job that ran during a run; instants in milliseconds.
 *
 * @param id its number in the batch system or the log
 * @param ended {@link JobRecord#NEVER} if it still ran when the run ended
 */
public record BackgroundJob(int id, int nodes, long submitted, long started, long ended) {}
