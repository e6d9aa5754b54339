package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Message;
import java.util.List;

/** The manager's current connection to an agent. */
interface Peer {
    /** Queues messages; they are sent soon and together, or the peer is lost. */
    void send(List<? extends Message> messages);

    /** Disconnects it; nothing is received from it any more. */
    void close();

    /** The transport, for messages. */
    String transport();
}
