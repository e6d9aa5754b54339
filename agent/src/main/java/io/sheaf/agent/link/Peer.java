package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Message;
import java.util.List;

/** An agent as the manager reaches it now. */
interface Peer {
    /** Queues messages; they go out soon and together, or the peer is lost. */
    void send(List<? extends Message> messages);

    /** Disconnects it; nothing is received from it any more. */
    void close();

    /** How it is reached, for messages. */
    String transport();
}
