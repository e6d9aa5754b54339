package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.Message;
import java.util.List;

/** Makes what an agent has to know to run an attempt. */
@FunctionalInterface
public interface StartMessages {
    /** An attempt of a task, told to the agent of the first of its nodes, which are called so. */
    Message.Start start(int task, int attempt, List<String> hosts);
}
