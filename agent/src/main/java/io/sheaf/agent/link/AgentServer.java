package io.sheaf.agent.link;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Message.Hello;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The manager's side of the links to all agents of a run.
 *
 * <p>Agents connect over TLS or through the spool; the manager answers on the path of the latest greeting. The listener is called by the
 * threads of the links, in order for each agent, and must not block for long.
 */
public final class AgentServer implements AutoCloseable {

    /** Receives events of the agents. Called by several threads. */
    public interface Listener {
        /**
         * An agent connected or reconnected; earlier messages to it may be lost. Compare its state with the expected one. Called for each
         * greeting.
         *
         * @param transport how it is reached, for messages
         */
        void connected(AgentId agent, Hello hello, String transport);

        /** A message of an agent, except greetings and heartbeats. */
        void received(AgentId agent, Message message);

        /** An agent is not reached any more; it may come back. */
        void disconnected(AgentId agent, String why);

        /** A problem that belongs to no agent, such as an unknown client. */
        void trouble(String text);
    }

    private final RunFolder run;
    private final Listener listener;
    private final Map<AgentId, Peer> peers = new ConcurrentHashMap<>();
    private final Endpoint endpoint;
    private final @Nullable TlsAcceptor door;
    private final SpoolAcceptor spool;

    private AgentServer(RunFolder run, long epoch, ServerSettings settings, Listener listener) throws IOException {
        this.run = run;
        this.listener = listener;
        door = settings.network() ? new TlsAcceptor(Credentials.load(run.credentials()), epoch, settings, this) : null;
        endpoint = new Endpoint(
                epoch,
                HostNames.own(),
                ProcessHandle.current().pid(),
                door == null ? 0 : door.port(),
                door == null ? List.of() : HostNames.addresses(settings.address()));
        spool = new SpoolAcceptor(run, epoch, settings, this);
    }

    /** Begins to listen as the manager of an epoch. The run's credentials must exist. Agents come once it is announced. */
    public static AgentServer open(RunFolder run, long epoch, ServerSettings settings, Listener listener)
            throws IOException {
        AgentServer server = new AgentServer(run, epoch, settings, listener);
        server.spool.start();
        if (server.door != null) {
            server.door.start();
        }
        return server;
    }

    /** Checks that a server with these settings could listen now. */
    public static void check(ServerSettings settings) throws IOException {
        if (settings.network()) {
            TlsAcceptor.listen(settings).close();
        }
    }

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Publishes the address of this manager to the agents. */
    public void announce() throws IOException {
        endpoint.write(run.endpoint());
    }

    /** Sends a message to an agent; returns false if it is not connected. Then its next message is a greeting. */
    public boolean send(AgentId agent, Message.ToAgent message) {
        return send(agent, List.of(message));
    }

    /** Sends several messages in one frame sequence. */
    public boolean send(AgentId agent, List<Message.ToAgent> messages) {
        Peer peer = peers.get(agent);
        if (peer == null) {
            return false;
        }
        peer.send(messages);
        return true;
    }

    /** Whether an agent has greeted and its connection was not lost since. */
    public boolean isConnected(AgentId agent) {
        return peers.containsKey(agent);
    }

    /** Disconnects an agent whose pilot job has ended; its spool is no longer read. */
    public void forget(AgentId agent) {
        spool.forget(agent);
        Peer peer = peers.remove(agent);
        if (peer != null) {
            peer.close();
        }
    }

    /** Stops listening and disconnects all agents; they keep their results and look for the next manager. */
    @Override
    public void close() {
        if (door != null) {
            door.close();
        }
        spool.close();
        peers.values().forEach(Peer::close);
        peers.clear();
    }

    /** An agent greets by this way; from now on it is spoken to by it. */
    void greeted(Hello hello, Peer peer) {
        Peer before = peers.put(hello.agent(), peer);
        if (before != null && !before.equals(peer)) {
            before.close();
        }
        listener.connected(hello.agent(), hello, peer.transport());
    }

    /** A message arrived on this path; it counts only if the agent's latest greeting came on it. */
    void received(AgentId agent, Peer peer, Message message) {
        if (peer.equals(peers.get(agent)) && !(message instanceof Message.Heartbeat)) {
            listener.received(agent, message);
        }
    }

    /** A way is closed. */
    void lost(AgentId agent, Peer peer, String why) {
        if (peers.remove(agent, peer)) {
            peer.close();
            listener.disconnected(agent, why);
        }
    }

    void trouble(String text) {
        listener.trouble(text);
    }

    @Nullable
    Peer peer(AgentId agent) {
        return peers.get(agent);
    }

    /** Sends a heartbeat to all agents. */
    void beat() {
        peers.values().forEach(peer -> peer.send(List.of(new Message.Heartbeat())));
    }
}
