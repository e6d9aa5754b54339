package io.sheaf.runtime.cluster;

import java.util.List;

/**
 * Starts and ends the agents of pilot jobs. Tells what became of them when asked; used by one thread.
 */
public interface Launcher {
    /** Something that happened to a pilot job's agents. */
    sealed interface Report {
        long token();

        /** An agent is gone, and everything that it ran. */
        record NodeGone(long token, int node) implements Report {}

        /** All agents are gone, and everything that they ran. */
        record Gone(long token) implements Report {}
    }

    /** Starts an agent for each node; they end by themselves before this time is over. */
    void launch(long token, int nodes, long walltime);

    /** How long before the end of their walltime agents end their tasks, in milliseconds. */
    default long reserve() {
        return 0;
    }

    /** Looks after agents that an earlier process launched, those that are still there. */
    void adopt(long token, int nodes);

    /** Ends all agents of a pilot job and what they run; {@link Report.Gone} follows. Asked twice it does no more than once. */
    void stop(long token);

    /** What has happened since the last call. */
    List<Report> reports();
}
