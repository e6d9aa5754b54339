package io.sheaf.runtime.run;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.Message;
import io.sheaf.runtime.cluster.Agents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The open attempts of each agent. When an agent connects, it receives the starts and stops that it has missed.
 *
 * <p>The agent of the first node receives an attempt on several nodes, once the host names of all nodes are known.
 */
final class Assignments {
    /**
     * The nodes of an attempt.
     *
     * @param sharedCore the index of the shared core on its node, if it uses a part of one
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record AssignedNodes(int[] nodes, int sharedCore) {}

    private final StartMessages starts;
    private final Agents link;
    /** Maps an attempt to the id that agents use for it. */
    private final UnaryOperator<AttemptId> toAgentId;

    private final Map<AgentId, Map<AttemptId, AssignedNodes>> byAgent = new HashMap<>();
    /** Attempts that were cancelled and whose end has not been reported yet. */
    private final Map<AttemptId, AgentId> stopped = new HashMap<>();
    /** Open attempts that an earlier manager had started and that their agent has begun. */
    private final Set<AttemptId> begun = new HashSet<>();
    /** The host names of connected agents whose pilot job has not ended. */
    private final Map<AgentId, String> hostsByAgent = new HashMap<>();

    Assignments(StartMessages starts, Agents link, UnaryOperator<AttemptId> toAgentId) {
        this.toAgentId = toAgentId;
        this.starts = starts;
        this.link = link;
    }

    /** Starts an attempt, on whole cores or on a part of the core of this number. */
    void start(long token, int[] nodes, int sharedCore, AttemptId attempt) {
        AgentId agent = new AgentId(token, nodes[0]);
        AssignedNodes where = new AssignedNodes(nodes, sharedCore);
        byAgent.computeIfAbsent(agent, a -> new LinkedHashMap<>()).put(attempt, where);
        send(agent, attempt, where);
    }

    private void send(AgentId agent, AttemptId attempt, AssignedNodes where) {
        List<String> hosts = new ArrayList<>();
        for (int node : where.nodes) {
            String host = hostsByAgent.get(new AgentId(agent.token(), node));
            if (host == null && where.nodes.length > 1) {
                // The agent receives it with its next greeting.
                return;
            }
            hosts.add(host == null ? "" : host);
        }
        Message.Start start = starts.start(attempt.task(), attempt.attempt(), hosts);
        link.send(agent, start.needs().isShare() ? start.on(where.sharedCore) : start);
    }

    /** The start messages of an agent's open attempts. */
    List<Message.Start> open(AgentId agent) {
        return byAgent.getOrDefault(agent, Map.of()).entrySet().stream()
                .map(each -> starts.start(
                        each.getKey().task(),
                        each.getKey().attempt(),
                        Collections.nCopies(each.getValue().nodes.length, "")))
                .toList();
    }

    void stop(long token, AttemptId attempt) {
        byAgent.forEach((agent, attempts) -> {
            if (agent.token() == token && attempts.containsKey(attempt)) {
                stopped.put(attempt, agent);
                link.send(agent, new Message.Kill(toAgentId.apply(attempt)));
            }
        });
    }

    /** Notes which open attempts have begun; called once, when an earlier manager's attempts are all known. */
    void recovered(StartMessages.Begun onDisk) {
        byAgent.values().forEach(attempts -> attempts.keySet().stream()
                .filter(attempt -> onDisk.has(attempt.task(), attempt.attempt()))
                .forEach(begun::add));
    }

    /** The attempts of a connecting agent that have ended, and whose result the journal has lost: it began them and does not know them. */
    List<AttemptId> vanished(AgentId agent, Message.Hello hello) {
        return byAgent.getOrDefault(agent, Map.of()).keySet().stream()
                .filter(attempt -> begun.contains(attempt) && !hello.known().contains(toAgentId.apply(attempt)))
                .toList();
    }

    /** An agent has connected and listed its attempts; sends it the missing ones and stops those that are not open. */
    void greeted(AgentId agent, Message.Hello hello) {
        boolean isNew = hostsByAgent.put(agent, hello.host()) == null;
        Set<AttemptId> open = new HashSet<>();
        byAgent.getOrDefault(agent, Map.of()).keySet().forEach(attempt -> open.add(toAgentId.apply(attempt)));
        hello.known().stream()
                .filter(known -> !open.contains(known))
                .forEach(known -> link.send(agent, new Message.Kill(known)));
        byAgent.getOrDefault(agent, Map.of()).forEach((attempt, where) -> {
            if (!hello.known().contains(toAgentId.apply(attempt))) {
                send(agent, attempt, where);
            }
            if (agent.equals(stopped.get(attempt))) {
                link.send(agent, new Message.Kill(toAgentId.apply(attempt)));
            }
        });
        if (isNew) {
            sendWaitingFor(agent);
        }
    }

    /** Sends attempts that were waiting for the host name of this agent's node. */
    private void sendWaitingFor(AgentId late) {
        byAgent.forEach((first, attempts) -> {
            if (first.token() == late.token() && first.node() != late.node() && hostsByAgent.containsKey(first)) {
                attempts.forEach((attempt, where) -> {
                    if (Arrays.stream(where.nodes).anyMatch(node -> node == late.node())) {
                        send(first, attempt, where);
                    }
                });
            }
        });
    }

    void ended(long token, AttemptId attempt) {
        stopped.remove(attempt);
        begun.remove(attempt);
        byAgent.forEach((agent, attempts) -> {
            if (agent.token() == token) {
                attempts.remove(attempt);
            }
        });
    }

    /** A pilot job has ended. */
    void ended(long token) {
        hostsByAgent.keySet().removeIf(agent -> {
            boolean isOfJob = agent.token() == token;
            if (isOfJob) {
                link.forget(agent);
            }
            return isOfJob;
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
