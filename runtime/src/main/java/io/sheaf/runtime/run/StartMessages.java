package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.Message;
import java.util.List;

/** Creates the messages that start attempts. */
@FunctionalInterface
public interface StartMessages {
    /** The message for the agent of an attempt's first node. {@code hosts} are the host names of all its nodes. */
    Message.Start start(int task, int attempt, List<String> hosts);

    /** The attempts that any agent has begun, by what is on disk now. */
    default Begun begun() {
        return (task, attempt) -> false;
    }

    /** A set of attempts. */
    @FunctionalInterface
    interface Begun {
        boolean has(int task, int attempt);
    }
}
