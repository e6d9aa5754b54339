package io.sheaf.runtime.cluster;

import java.util.List;

/** Starts and ends the agents of pilot jobs, and returns reports about them. Used by one thread. */
public interface Launcher {
    /** A change of a pilot job's agents. */
    sealed interface Report {
        long token();

        /** An agent has ended with all its processes. */
        record AgentEnded(long token, int node) implements Report {}

        /** All agents have ended with all their processes. */
        record AgentsEnded(long token) implements Report {}
    }

    /** Starts an agent on each node; the agents end before this walltime, in milliseconds. */
    void launch(long token, int nodes, long walltime);

    /** The reserve: how long before the end of their walltime agents end their tasks, in milliseconds. */
    default long reserve() {
        return 0;
    }

    /** Monitors those agents of an earlier process that are still running. */
    void adopt(long token, int nodes);

    /** Ends all agents of a pilot job with their processes; {@link Report.AgentsEnded} follows. Idempotent. */
    void stop(long token);

    /** The reports since the last call. */
    List<Report> reports();
}
