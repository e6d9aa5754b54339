package io.sheaf.runtime;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Attempt;
import io.sheaf.agent.protocol.Message;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Which attempts each agent has been given and has not ended, so that one that greets is told what it should know and does not.
 *
 * <p>An attempt on several nodes is told to the agent of the first, once it is known what all of them are called.
 */
final class Assignments {
    private final Starts starts;
    private final Agents link;
    /** What agents call an attempt. */
    private final UnaryOperator<Attempt> abroad;
    /** Attempts that agents were given, with the nodes of each. */
    private final Map<AgentId, Map<Attempt, int[]>> byAgent = new HashMap<>();
    /** Attempts whose result is not wanted any more. */
    private final Map<Attempt, AgentId> stopped = new HashMap<>();
    /** Agents that have greeted and whose placeholder is not over, and what their nodes are called. */
    private final Map<AgentId, String> heard = new HashMap<>();

    Assignments(Starts starts, Agents link, UnaryOperator<Attempt> abroad) {
        this.abroad = abroad;
        this.starts = starts;
        this.link = link;
    }

    void start(long token, int[] nodes, int task, int attempt) {
        AgentId agent = new AgentId(token, nodes[0]);
        Attempt given = new Attempt(task, attempt);
        byAgent.computeIfAbsent(agent, a -> new LinkedHashMap<>()).put(given, nodes);
        send(agent, given, nodes);
    }

    private void send(AgentId agent, Attempt attempt, int[] nodes) {
        List<String> hosts = new ArrayList<>();
        for (int node : nodes) {
            String host = heard.get(new AgentId(agent.token(), node));
            if (host == null && nodes.length > 1) {
                // Its agent greets again, and then it is told.
                return;
            }
            hosts.add(host == null ? "" : host);
        }
        link.send(agent, starts.start(attempt.task(), attempt.attempt(), hosts));
    }

    void stop(long token, Attempt attempt) {
        byAgent.forEach((agent, given) -> {
            if (agent.token() == token && given.containsKey(attempt)) {
                stopped.put(attempt, agent);
                link.send(agent, new Message.Kill(abroad.apply(attempt)));
            }
        });
    }

    /** An agent is here and knows some of its attempts; it is told the rest. */
    void greeted(AgentId agent, Message.Hello hello) {
        boolean isNew = heard.put(agent, hello.host()) == null;
        byAgent.getOrDefault(agent, Map.of()).forEach((attempt, nodes) -> {
            if (!hello.known().contains(abroad.apply(attempt))) {
                send(agent, attempt, nodes);
            }
            if (agent.equals(stopped.get(attempt))) {
                link.send(agent, new Message.Kill(abroad.apply(attempt)));
            }
        });
        if (isNew) {
            sendWhatWaitedFor(agent);
        }
    }

    /** Attempts that others were not told of because nobody knew what this agent's node is called. */
    private void sendWhatWaitedFor(AgentId late) {
        byAgent.forEach((first, given) -> {
            if (first.token() == late.token() && first.node() != late.node() && heard.containsKey(first)) {
                given.forEach((attempt, nodes) -> {
                    if (Arrays.stream(nodes).anyMatch(node -> node == late.node())) {
                        send(first, attempt, nodes);
                    }
                });
            }
        });
    }

    /** An attempt is over. */
    void over(long token, Attempt attempt) {
        stopped.remove(attempt);
        byAgent.forEach((agent, given) -> {
            if (agent.token() == token) {
                given.remove(attempt);
            }
        });
    }

    /** A placeholder is over. */
    void over(long token) {
        heard.keySet().removeIf(agent -> {
            boolean of = agent.token() == token;
            if (of) {
                link.forget(agent);
            }
            return of;
        });
        byAgent.entrySet().removeIf(entry -> {
            if (entry.getKey().token() != token) {
                return false;
            }
            entry.getValue().keySet().forEach(stopped::remove);
            return true;
        });
    }
}
