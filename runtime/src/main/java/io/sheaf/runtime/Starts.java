package io.sheaf.runtime;

import io.sheaf.agent.protocol.Message;

/** Makes what an agent has to know to run an attempt. */
@FunctionalInterface
public interface Starts {
    /** An attempt of a task on so many nodes, told to the agent of the first. */
    Message.Start start(int task, int attempt, int nodes);
}
