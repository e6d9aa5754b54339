package io.sheaf.manager;

/**
 * A batch system, told what to do.
 *
 * <p>Commands return nothing: what became of them is told by {@link Event}s, which may come late, twice or out of order. The token is ours,
 * chosen before the submission and never used again. A command that is given twice does no more than once, and one to a placeholder that
 * is over does nothing.
 */
public interface BatchSystem {
    void submit(long token, Request request);

    /** Cancels a placeholder, queued or running. */
    void withdraw(long token);

    /** Lowers the walltime of a queued placeholder. */
    void shorten(long token, long walltime);
}
