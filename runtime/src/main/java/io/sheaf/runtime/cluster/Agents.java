package io.sheaf.runtime.cluster;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import java.util.List;

/** The way to the agents. What they say comes through the {@code EventQueue}. */
public interface Agents {
    /**
     * Says something to an agent, at the latest when {@link #flush} is called; what is said to one that is not reached is lost, and it will greet
     * before anything else.
     */
    void send(AgentId agent, Message.ToAgent message);

    /** Whether there is a way to an agent now. That there is none does not mean that it is gone. */
    boolean isReached(AgentId agent);

    /** What was said goes out. */
    void flush();

    /** What an agent that is gone has left: results that it could not tell, and perhaps some that it could. */
    List<Message.Ended> left(AgentId agent);

    /** A pilot job is over: its agents are not listened to any more. */
    void forget(AgentId agent);
}
