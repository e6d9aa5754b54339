package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Frame;
import io.sheaf.agent.protocol.Message;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** A session of an agent with a manager. One thread reads, another writes. */
interface LinkSession {
    /** Reads until the session ends, by itself, by {@link #close}, or with an exception that has the reason. */
    void read(Consumer<Frame> to) throws IOException, InterruptedException;

    void write(List<Message.ToManager> messages) throws IOException;

    void close();

    /** The transport, for messages. */
    String transport();
}
