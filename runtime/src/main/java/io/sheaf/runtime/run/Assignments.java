package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.runtime.cluster.Agents;
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
    /**
     * Where an attempt runs.
     *
     * @param sharedCore which of the shared cores of its node, if it has a part of one
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Where(int[] nodes, int sharedCore) {}

    private final StartMessages starts;
    private final Agents link;
    /** What agents call an attempt. */
    private final UnaryOperator<AttemptId> abroad;
    /** Attempts that agents were given, with the place of each. */
    private final Map<AgentId, Map<AttemptId, Where>> byAgent = new HashMap<>();
    /** Attempts whose result is not wanted any more. */
    private final Map<AttemptId, AgentId> stopped = new HashMap<>();
    /** Agents that have greeted and whose pilot job is not over, and what their nodes are called. */
    private final Map<AgentId, String> heard = new HashMap<>();

    Assignments(StartMessages starts, Agents link, UnaryOperator<AttemptId> abroad) {
        this.abroad = abroad;
        this.starts = starts;
        this.link = link;
    }

    /** On whole cores of some nodes. */
    void start(long token, int[] nodes, int task, int attempt) {
        give(new AgentId(token, nodes[0]), new AttemptId(task, attempt), new Where(nodes, 0));
    }

    /** On a part of a core of a node. */
    void share(long token, int node, int core, int task, int attempt) {
        give(new AgentId(token, node), new AttemptId(task, attempt), new Where(new int[] {node}, core));
    }

    private void give(AgentId agent, AttemptId attempt, Where where) {
        byAgent.computeIfAbsent(agent, a -> new LinkedHashMap<>()).put(attempt, where);
        send(agent, attempt, where);
    }

    private void send(AgentId agent, AttemptId attempt, Where where) {
        List<String> hosts = new ArrayList<>();
        for (int node : where.nodes) {
            String host = heard.get(new AgentId(agent.token(), node));
            if (host == null && where.nodes.length > 1) {
                // Its agent greets again, and then it is told.
                return;
            }
            hosts.add(host == null ? "" : host);
        }
        Message.Start start = starts.start(attempt.task(), attempt.attempt(), hosts);
        link.send(agent, start.needs().isShare() ? start.on(where.sharedCore) : start);
    }

    void stop(long token, AttemptId attempt) {
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
        byAgent.getOrDefault(agent, Map.of()).forEach((attempt, where) -> {
            if (!hello.known().contains(abroad.apply(attempt))) {
                send(agent, attempt, where);
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
                given.forEach((attempt, where) -> {
                    if (Arrays.stream(where.nodes).anyMatch(node -> node == late.node())) {
                        send(first, attempt, where);
                    }
                });
            }
        });
    }

    /** An attempt is over. */
    void over(long token, AttemptId attempt) {
        stopped.remove(attempt);
        byAgent.forEach((agent, given) -> {
            if (agent.token() == token) {
                given.remove(attempt);
            }
        });
    }

    /** A pilot job is over. */
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
