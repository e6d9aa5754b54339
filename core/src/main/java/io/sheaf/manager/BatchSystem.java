package io.sheaf.manager;

/**
 * A batch system, told what to do.
 *
 * <p>Commands return nothing: what became of them is told by {@link Event}s, which may come late, twice or out of order. The token is ours,
 * chosen before the submission and never used again. A command that is given twice does no more than once, and one to a pilot job that
 * is over does nothing.
 */
public interface BatchSystem {
    void submit(long token, Request request);

    /** Cancels a pilot job, queued or running. */
    void cancel(long token);

    /** Lowers the walltime of a queued pilot job. */
    void shorten(long token, long walltime);
}
