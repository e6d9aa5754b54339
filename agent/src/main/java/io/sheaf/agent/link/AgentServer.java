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
 * <p>Agents come to it, over TLS or through the spool; the one way in which an agent was last heard greeting is the way in which it is spoken
 * to. The listener is called by the threads of the links, for one agent in the order in which things happened; it must not block for long.
 */
public final class AgentServer implements AutoCloseable {

    /** Who wants to hear of the agents. Called by several threads. */
    public interface Listener {
        /**
         * An agent has greeted: it is here, or here again, and what was said to it before may not have arrived. Compare what it knows with what it
         * should know. Called again for each greeting.
         *
         * @param by how it is reached, for people
         */
        void connected(AgentId agent, Hello hello, String by);

        /** An agent said something (no greetings, no heartbeats). */
        void received(AgentId agent, Message message);

        /** An agent is not reached any more; it may come back. */
        void disconnected(AgentId agent, String why);

        /** Something went wrong that no agent can be named for, such as a stranger at the door. */
        void trouble(String what);
    }

    private final RunFolder run;
    private final Listener listener;
    private final Map<AgentId, Peer> peers = new ConcurrentHashMap<>();
    private final Endpoint endpoint;
    private final @Nullable TlsDoor door;
    private final SpoolDoor spool;

    private AgentServer(RunFolder run, long epoch, ServerSettings settings, Listener listener) throws IOException {
        this.run = run;
        this.listener = listener;
        door = settings.network() ? TlsDoor.open(Credentials.load(run.credentials()), epoch, settings, this) : null;
        endpoint = new Endpoint(
                epoch,
                HostNames.own(),
                ProcessHandle.current().pid(),
                door == null ? 0 : door.port(),
                door == null ? List.of() : HostNames.addresses(settings.address()));
        spool = new SpoolDoor(run, epoch, settings, this);
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

    public Endpoint endpoint() {
        return endpoint;
    }

    /** Tells agents that this manager is in charge. */
    public void announce() throws IOException {
        endpoint.write(run.endpoint());
    }

    /** Says something to an agent; false if it is not reached, and then it will greet before anything else. */
    public boolean send(AgentId agent, Message.ToAgent message) {
        return send(agent, List.of(message));
    }

    /** Says several things at once. */
    public boolean send(AgentId agent, List<Message.ToAgent> messages) {
        Peer peer = peers.get(agent);
        if (peer == null) {
            return false;
        }
        peer.send(messages);
        return true;
    }

    /** Whether an agent has greeted and its connection was not lost since. */
    public boolean isReached(AgentId agent) {
        return peers.containsKey(agent);
    }

    /** Forgets an agent whose pilot job is over: it is cut off, and its spool is not looked at any more. */
    public void forget(AgentId agent) {
        spool.forget(agent);
        Peer peer = peers.remove(agent);
        if (peer != null) {
            peer.close();
        }
    }

    /** Stops listening and cuts off all agents; they keep their results and look for the next manager. */
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
        listener.connected(hello.agent(), hello, peer.by());
    }

    /** Something was heard by this way; it counts only if it is the way that the agent last greeted by. */
    void heard(AgentId agent, Peer peer, Message message) {
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

    void trouble(String what) {
        listener.trouble(what);
    }

    @Nullable
    Peer peer(AgentId agent) {
        return peers.get(agent);
    }

    /** Tells all agents that the manager is still there. */
    void beat() {
        peers.values().forEach(peer -> peer.send(List.of(new Message.Heartbeat())));
    }
}
