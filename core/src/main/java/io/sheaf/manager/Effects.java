package io.sheaf.manager;

import io.sheaf.predict.WaitObservation;
import io.sheaf.workflow.Resources;

/**
 * Commands of the manager to the batch system and to the agents in its pilot jobs.
 *
 * <p>Commands return nothing. {@link Event}s report their results and may arrive late, twice or out of order. The manager chooses a token before the
 * submission and never uses it again. All commands are idempotent ({@link Manager#repeat}). A command to an ended pilot job has no effect. Commands
 * to one pilot job are carried out in order.
 */
public interface Effects {
    /** Submits a pilot job. */
    void submit(long token, Request request);

    /** Cancels a pilot job, queued or running. */
    void cancel(long token);

    /** Lowers the walltime of a queued pilot job, in milliseconds. */
    void shorten(long token, long walltime);

    /** Starts an attempt of a task on a node of a running pilot job, or on several. */
    void start(long token, int[] nodes, int task, int attempt);

    /**
     * Starts an attempt of a task that uses a part of a core, on a node of a running pilot job.
     *
     * @param core the number of the shared core; tasks with the same number share it
     */
    default void share(long token, int node, int core, int task, int attempt) {
        start(token, new int[] {node}, task, attempt);
    }

    /**
     * Starts an attempt of a moldable task on other cores than it declares.
     *
     * @param needs the chosen cores and nodes
     */
    default void start(long token, int[] nodes, Resources needs, int task, int attempt) {
        start(token, nodes, task, attempt);
    }

    /** Stops an attempt whose result is no longer needed. Its {@link Event.TaskEnded} is still reported. */
    void stop(long token, int task, int attempt);

    /** Ends a running pilot job that has nothing left to do. */
    void release(long token);

    /** Requests a {@link Event.Woken} at this instant; replaces an earlier request. */
    void wake(long at);

    /** Reports an observed wait. Called once; losing it does no harm. */
    default void learn(WaitObservation observation) {}
}
