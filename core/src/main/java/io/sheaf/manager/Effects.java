package io.sheaf.manager;

import io.sheaf.predict.Lesson;

/**
 * Commands of the manager: to the batch system, and to the agents in its pilot jobs.
 *
 * <p>Commands return nothing: {@link Event}s report what became of them, and may come late, twice or out of order. A token is chosen before the submission
 * and never used again. All commands may be given more than once ({@link Manager#repeat}) and then do no more than once; one to a pilot job that has
 * ended does nothing. Commands to one pilot job are carried out in the order in which they are given.
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
     * Starts an attempt of a task that has a part of a core, on a node of a running pilot job.
     *
     * @param core which of the cores that tasks share there; tasks that are told the same one share it
     */
    default void share(long token, int node, int core, int task, int attempt) {
        start(token, new int[] {node}, task, attempt);
    }

    /** Stops an attempt whose result is not wanted any more; its {@link Event.TaskEnded} is awaited all the same. */
    void stop(long token, int task, int attempt);

    /** Ends a running pilot job that has nothing left to do. */
    void release(long token);

    /** Asks for a {@link Event.Woken} at this instant, instead of any that was asked for before. */
    void wake(long at);

    /** Something was learnt about waits; told once, and lost without harm. */
    default void learn(Lesson lesson) {}
}
