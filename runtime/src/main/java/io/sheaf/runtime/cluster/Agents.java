package io.sheaf.runtime.cluster;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import java.util.List;
import java.util.function.Supplier;

/** The connection to the agents. Their messages arrive in the {@code EventQueue}. */
public interface Agents {
    /**
     * Sends a message to an agent, at the latest when {@link #flush} is called. A message to an unreachable agent
     * is lost; that agent greets first when it reconnects.
     */
    void send(AgentId agent, Message.ToAgent message);

    /** Whether an agent is connected now. An agent that is not connected may still be running. */
    boolean isConnected(AgentId agent);

    /** Sends all pending messages. */
    void flush();

    /**
     * The results that a lost agent left on disk: unsent ones, and possibly some that it sent; and those of open
     * attempts that exited with status 0 before the agent could store a result.
     */
    List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open);

    /**
     * Whether a message is delayed until the files that it names are here; the {@code EventQueue} then receives it again.
     *
     * @param open the start messages of the agent's open attempts
     */
    default boolean holdsBack(AgentId agent, Message message, Supplier<List<Message.Start>> open) {
        return false;
    }

    /** A pilot job has ended: its agents' messages are ignored from now on. */
    void forget(AgentId agent);
}
