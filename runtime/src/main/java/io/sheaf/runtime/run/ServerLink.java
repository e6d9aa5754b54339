package io.sheaf.runtime.run;

import io.sheaf.agent.ExitRecords;
import io.sheaf.agent.ResultStore;
import io.sheaf.agent.link.AgentServer;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The connection to a run's agents, over the network or through files; their messages go to the event queue. */
final class ServerLink implements Agents, AutoCloseable {
    private final RunFolder run;
    private final AgentServer server;
    private final Consumer<String> messages;
    private final Map<AgentId, List<Message.ToAgent>> outbox = new LinkedHashMap<>();

    ServerLink(RunFolder run, long epoch, ServerSettings listening, EventQueue inbox, Consumer<String> messages)
            throws IOException {
        this.run = run;
        this.messages = messages;
        server = open(epoch, listening, new AgentServer.Listener() {
            @Override
            public void connected(AgentId agent, Message.Hello hello, String transport) {
                inbox.add(agent, hello);
            }

            @Override
            public void received(AgentId agent, Message message) {
                inbox.add(agent, message);
            }

            @Override
            public void disconnected(AgentId agent, String why) {
                // The agent reconnects, or its process ends and the launcher reports it.
            }

            @Override
            public void trouble(String text) {
                messages.accept(text);
            }
        });
    }

    private AgentServer open(long epoch, ServerSettings listening, AgentServer.Listener listener) throws IOException {
        try {
            return AgentServer.open(run, epoch, listening, listener);
        } catch (BindException | UnknownHostException e) {
            throw unreachable(e);
        }
    }

    /** An error of an address or port on which this process cannot listen. */
    static InputException unreachable(IOException e) {
        return new InputException(
                "agents could not reach this process (" + e.getMessage() + "); see --listen and --ports");
    }

    /** Publishes the address to which agents connect. */
    void announce() throws IOException {
        server.announce();
    }

    @Override
    public void send(AgentId agent, Message.ToAgent message) {
        outbox.computeIfAbsent(agent, id -> new ArrayList<>()).add(message);
    }

    @Override
    public boolean isConnected(AgentId agent) {
        return server.isConnected(agent);
    }

    /**
     * Sends all messages of a turn to an agent at once, such as a start and the acknowledgement of an earlier
     * result.
     */
    @Override
    public void flush() {
        outbox.forEach(server::send);
        outbox.clear();
    }

    @Override
    public List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open) {
        try {
            List<Message.Ended> left = new ArrayList<>(ResultStore.read(run.agent(agent)));
            Set<AttemptId> stored = left.stream().map(Message.Ended::attempt).collect(Collectors.toSet());
            left.addAll(ExitRecords.committed(
                    run.agent(agent),
                    open.stream()
                            .filter(start -> !stored.contains(start.attempt()))
                            .toList()));
            return left;
        } catch (IOException e) {
            messages.accept("the results stored by agent " + agent + " cannot be read:  " + e.getMessage());
            return List.of();
        }
    }

    @Override
    public void forget(AgentId agent) {
        flush();
        server.forget(agent);
    }

    @Override
    public void close() {
        server.close();
    }
}
