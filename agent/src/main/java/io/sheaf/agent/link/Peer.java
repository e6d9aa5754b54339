package io.sheaf.agent.link;

import io.sheaf.agent.protocol.Message;

/** An agent as the manager reaches it now. */
interface Peer {
    /** Queues a message; it goes out soon, or the peer is lost. */
    void send(Message message);

    /** Cuts it off; nothing is heard from it any more. */
    void close();

    /** How it is reached, for people. */
    String by();
}
