package io.sheaf.manager;

/** What the manager wants done: commands to the batch system, and to the agents in its placeholders. */
public interface Effects extends BatchSystem {
    /** Starts an attempt of a task on a node of a running placeholder, or on several. */
    void start(long token, int[] nodes, int task, int attempt);

    /** Ends a running placeholder that has nothing left to do. */
    void release(long token);

    /** Asks for a {@link Event.Woken} at this instant. */
    void wake(long at);
}
