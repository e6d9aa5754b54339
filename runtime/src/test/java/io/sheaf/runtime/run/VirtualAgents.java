package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.protocol.AgentId;
import io.sheaf.agent.protocol.AttemptId;
import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.Usage;
import io.sheaf.runtime.cluster.Agents;
import io.sheaf.runtime.cluster.Launcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Simulated agents on a virtual clock, which outlive the process of the manager.
 *
 * <p>They follow the rules of real agents: they ignore repeated starts, keep results until acknowledged, greet every
 * new manager and end before their walltime.
 */
final class VirtualAgents implements Launcher, Agents {
    private static final long BOOT = 700;
    private static final long EARLY = 2_000;

    private final class Agent {
        final AgentId id;
        final long upAt;
        long endsAt;
        boolean up;
        final Map<AttemptId, Long> running = new LinkedHashMap<>();
        /** Attempts that wait for a core. */
        final List<AttemptId> waiting = new ArrayList<>();

        /** Needs of running and waiting attempts. */
        final Map<AttemptId, Needs> needs = new HashMap<>();

        final Map<AttemptId, Message.Ended> unacknowledged = new LinkedHashMap<>();
        final Set<AttemptId> known = new HashSet<>();

        Agent(AgentId id, long walltime) {
            this.id = id;
            upAt = now + BOOT + 10L * id.node();
            endsAt = now + walltime - EARLY;
        }

        void greet() {
            List<AttemptId> all = new ArrayList<>(running.keySet());
            all.addAll(waiting);
            send(new Message.Hello(id, "here", 1, 1, 0, 0, all, false));
            unacknowledged.values().forEach(this::send);
        }

        void send(Message message) {
            if (inbox != null) {
                inbox.add(id, message);
            }
        }

        void end(AttemptId attempt, AttemptOutcome outcome) {
            Long until = running.remove(attempt);
            waiting.remove(attempt);
            long ran = until == null ? 0 : times.applyAsLong(attempt.task()) - (until - now);
            Message.Ended ended =
                    new Message.Ended(attempt, outcome, 0, "", new Usage(now - ran, ran, -1, -1), List.of(), List.of());
            unacknowledged.put(attempt, ended);
            if (outcome == AttemptOutcome.SUCCEEDED) {
                succeeded.merge(attempt.task(), 1, Integer::sum);
            }
            send(ended);
            startWaiting();
        }

        void startWaiting() {
            boolean full = false;
            for (AttemptId attempt : List.copyOf(waiting)) {
                Needs needed = needs(attempt);
                if (fits(needed) && !(full && !needed.isShare()) && endsAt > now) {
                    waiting.remove(attempt);
                    running.put(attempt, now + times.applyAsLong(attempt.task()));
                } else {
                    full = true;
                }
            }
        }

        private Needs needs(AttemptId attempt) {
            return needs.getOrDefault(attempt, Needs.cores(1));
        }

        /** Whether there is room: on the shared core if it is in use already, otherwise a core of its own. */
        private boolean fits(Needs needed) {
            Map<Integer, Integer> shared = new HashMap<>();
            int whole = 0;
            for (AttemptId attempt : running.keySet()) {
                Needs its = needs(attempt);
                whole += its.isShare() ? 0 : 1;
                if (its.isShare()) {
                    shared.merge(its.sharedCore(), its.share(), Integer::sum);
                }
            }
            Integer usedShare = needed.isShare() ? shared.get(needed.sharedCore()) : null;
            return usedShare == null ? whole + shared.size() < cores : usedShare + needed.share() <= Needs.CORE;
        }

        long next() {
            long next = Math.min(up ? Long.MAX_VALUE : upAt, endsAt);
            for (long end : running.values()) {
                next = Math.min(next, end);
            }
            return next;
        }

        void advance() {
            if (!up && upAt <= now) {
                up = true;
                greet();
            }
            for (AttemptId attempt : List.copyOf(running.keySet())) {
                if (running.getOrDefault(attempt, Long.MAX_VALUE) <= now) {
                    end(attempt, AttemptOutcome.SUCCEEDED);
                }
            }
            if (endsAt <= now) {
                List.copyOf(running.keySet()).forEach(attempt -> end(attempt, AttemptOutcome.CUT_OFF));
                List.copyOf(waiting).forEach(attempt -> end(attempt, AttemptOutcome.CUT_OFF));
                die(id);
            }
        }
    }

    private final IntToLongFunction times;
    private final Runnable point;
    private final Map<AgentId, Agent> agents = new TreeMap<>((a, b) ->
            a.token() != b.token() ? Long.compare(a.token(), b.token()) : Integer.compare(a.node(), b.node()));
    private final Set<Long> launched = new HashSet<>();
    private final Map<Long, Integer> agentsLeft = new HashMap<>();
    private final Map<AgentId, List<Message.Ended>> leftResults = new HashMap<>();
    private final List<Report> reports = new ArrayList<>();
    private @Nullable EventQueue inbox;
    private long now;
    private int cores = Integer.MAX_VALUE;

    /** Number of successful attempts of each task. */
    final Map<Integer, Integer> succeeded = new TreeMap<>();

    /** Number of attempts that were sent to agents without a free core. */
    int waited;

    /** Maximum number of attempts that ran on one node at once. */
    int together;

    /**
     * Agents that run each task for a given time.
     *
     * @param point called after each operation of a manager, where its process may end
     */
    VirtualAgents(IntToLongFunction times, Runnable point) {
        this.times = times;
        this.point = point;
    }

    /** Agents that run a given number of tasks at once. */
    VirtualAgents cores(int count) {
        cores = count;
        return this;
    }

    /** Connects a manager; all agents greet it. */
    void connect(EventQueue to) {
        inbox = to;
        agents.values().stream().filter(agent -> agent.up).forEach(Agent::greet);
    }

    /** Begins a process of the manager, before agents can connect to it. */
    void begin() {
        reports.clear();
    }

    void disconnect() {
        inbox = null;
    }

    boolean isIdle() {
        return agents.isEmpty();
    }

    long next() {
        return agents.values().stream().mapToLong(Agent::next).min().orElse(Long.MAX_VALUE);
    }

    void advanceTo(long at) {
        while (next() <= at) {
            now = Math.max(now, next());
            List.copyOf(agents.values()).forEach(Agent::advance);
        }
        now = Math.max(now, at);
    }

    /** An agent is killed, with all that it runs. */
    void die(AgentId id) {
        Agent agent = agents.remove(id);
        if (agent == null) {
            return;
        }
        leftResults.put(id, List.copyOf(agent.unacknowledged.values()));
        reports.add(new Report.AgentEnded(id.token(), id.node()));
        if (agentsLeft.merge(id.token(), -1, Integer::sum) == 0) {
            reports.add(new Report.AgentsEnded(id.token()));
        }
    }

    /** A live agent, selected by an index; null if there is none. */
    @Nullable
    AgentId liveAgent(int index) {
        List<AgentId> all = List.copyOf(agents.keySet());
        return all.isEmpty() ? null : all.get(index % all.size());
    }

    // --- operations of a manager ---

    @Override
    public void launch(long token, int nodes, long walltime) {
        assertThat(launched.add(token)).as("pilot job %s launched once", token).isTrue();
        agentsLeft.put(token, nodes);
        for (int node = 0; node < nodes; node++) {
            AgentId id = new AgentId(token, node);
            agents.put(id, new Agent(id, walltime));
        }
        point.run();
    }

    @Override
    public void adopt(long token, int nodes) {
        for (int node = 0; node < nodes; node++) {
            if (!agents.containsKey(new AgentId(token, node))) {
                reports.add(new Report.AgentEnded(token, node));
            }
        }
        if (agentsLeft.getOrDefault(token, 0) == 0) {
            reports.add(new Report.AgentsEnded(token));
        }
        point.run();
    }

    @Override
    public void stop(long token) {
        for (AgentId id : new LinkedHashSet<>(agents.keySet())) {
            if (id.token() == token) {
                die(id);
            }
        }
        point.run();
    }

    @Override
    public List<Report> reports() {
        List<Report> all = List.copyOf(reports);
        reports.clear();
        return all;
    }

    @Override
    public boolean isConnected(AgentId agent) {
        return true;
    }

    @Override
    public void flush() {}

    @Override
    public void send(AgentId id, Message.ToAgent message) {
        Agent agent = agents.get(id);
        if (agent == null || !agent.up) {
            return;
        }
        if (message instanceof Message.Start start && agent.known.add(start.attempt())) {
            agent.waiting.add(start.attempt());
            agent.needs.put(start.attempt(), start.needs());
            agent.startWaiting();
            waited += agent.waiting.contains(start.attempt()) ? 1 : 0;
            together = Math.max(together, agent.running.size());
        } else if (message instanceof Message.Ack ack) {
            ack.attempts().forEach(agent.unacknowledged::remove);
        } else if (message instanceof Message.Kill kill
                && (agent.running.containsKey(kill.attempt()) || agent.waiting.contains(kill.attempt()))) {
            agent.end(kill.attempt(), AttemptOutcome.KILLED);
        } else if (message instanceof Message.Stop) {
            agent.endsAt = now;
        }
        point.run();
    }

    @Override
    public List<Message.Ended> storedResults(AgentId agent, List<Message.Start> open) {
        return leftResults.getOrDefault(agent, List.of());
    }

    @Override
    public void forget(AgentId agent) {}
}
