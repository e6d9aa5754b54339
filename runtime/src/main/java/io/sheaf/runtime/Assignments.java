package io.sheaf.runtime;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.Attempt;
import io.sheaf.agent.protocol.Message;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which attempts each agent has been given and has not ended, so that one that greets is told what it should know and does not.
 *
 * <p>An attempt on several nodes is told to the agent of the first.
 */
final class Assignments {
    private final Starts starts;
    private final Agents link;
    private final Map<AgentId, Map<Attempt, Message.Start>> byAgent = new HashMap<>();
    /** Attempts whose result is not wanted any more. */
    private final Map<Attempt, AgentId> stopped = new HashMap<>();
    /** Agents that have greeted and whose placeholder is not over. */
    private final Set<AgentId> heard = new HashSet<>();

    Assignments(Starts starts, Agents link) {
        this.starts = starts;
        this.link = link;
    }

    void start(long token, int[] nodes, int task, int attempt) {
        AgentId agent = new AgentId(token, nodes[0]);
        Message.Start start = starts.start(task, attempt, nodes.length);
        byAgent.computeIfAbsent(agent, a -> new LinkedHashMap<>()).put(start.attempt(), start);
        link.send(agent, start);
    }

    void stop(long token, Attempt attempt) {
        byAgent.forEach((agent, given) -> {
            if (agent.token() == token && given.containsKey(attempt)) {
                stopped.put(attempt, agent);
                link.send(agent, new Message.Kill(attempt));
            }
        });
    }

    /** An agent is here and knows these; it is told the rest. */
    void greeted(AgentId agent, List<Attempt> known) {
        heard.add(agent);
        byAgent.getOrDefault(agent, Map.of()).forEach((attempt, start) -> {
            if (!known.contains(attempt)) {
                link.send(agent, start);
            }
            if (agent.equals(stopped.get(attempt))) {
                link.send(agent, new Message.Kill(attempt));
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
        heard.removeIf(agent -> {
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
