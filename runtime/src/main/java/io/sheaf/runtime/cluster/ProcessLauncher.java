package io.sheaf.runtime.cluster;

import io.sheaf.agent.AgentSettings;
import io.sheaf.agent.Fence;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.protocol.AgentId;
import io.sheaf.runtime.control.LivingProcess;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Launches agents as processes of this machine, one for each virtual node.
 *
 * <p>A node is reported as lost when its agent has ended and all processes of the agent are killed. A pilot job has
 * ended when no process carries its mark. Agents that are stopped have some seconds to end their tasks; then all
 * their processes are killed.
 */
public final class ProcessLauncher implements Launcher {
    public static final int GRACE_MILLIS = 3_000;
    private static final long KILL_NANOS = 8_000_000_000L;

    /** The remaining agents of a pilot job. */
    private static final class Crew {
        /** By node; empty for an agent that failed to start or has ended. */
        final Map<Integer, Optional<ProcessHandle>> agents = new HashMap<>();

        boolean stopping;
        long killNanos;
    }

    private final Launch launch;
    private final RunFolder run;
    private final String id;
    private final int cores;
    private final long memory;
    private final List<String> gpus;
    private final Fence fence;
    private final Runnable wake;
    private final Consumer<String> messages;
    private final Map<Long, Crew> agentsByJob = new LinkedHashMap<>();

    /**
     * A launcher for a run.
     *
     * @param node what each node has; its GPUs are GPUs of this machine, which virtual nodes share, or fictitious ones
     * @param wake called by any thread when there may be something to report
     */
    public ProcessLauncher(
            Launch launch, RunFolder run, String id, Resources node, Runnable wake, Consumer<String> messages) {
        this.launch = launch;
        this.run = run;
        this.id = id;
        cores = node.cores();
        memory = node.countsMemory() ? node.memory() : 0;
        gpus = IntStream.range(0, node.gpus()).mapToObj(Integer::toString).toList();
        this.wake = wake;
        this.messages = messages;
        fence = new Fence(id);
    }

    @Override
    public long reserve() {
        return AgentSettings.reserveMillis(GRACE_MILLIS);
    }

    @Override
    public void launch(long token, int nodes, long walltime) {
        Crew agents = new Crew();
        agentsByJob.put(token, agents);
        AgentSettings settings = new AgentSettings(id, cores, memory, gpus, walltime, GRACE_MILLIS, false, "");
        for (int node = 0; node < nodes; node++) {
            try {
                add(
                        agents,
                        node,
                        launch.start(run, new AgentId(token, node), settings).toHandle());
            } catch (IOException e) {
                messages.accept("an agent could not be started: " + e.getMessage());
                agents.agents.put(node, Optional.empty());
                wake.run();
            }
        }
    }

    @Override
    public void adopt(long token, int nodes) {
        Crew agents = new Crew();
        agentsByJob.put(token, agents);
        fence.agentsOf(token).forEach(found -> add(agents, found.node(), found.process()));
        for (int node = 0; node < nodes; node++) {
            agents.agents.putIfAbsent(node, Optional.empty());
        }
        wake.run();
    }

    private void add(Crew agents, int node, ProcessHandle process) {
        agents.agents.put(node, Optional.of(process));
        CompletableFuture<Void> unused = process.onExit().thenRun(wake);
    }

    @Override
    public void stop(long token) {
        Crew agents = agentsByJob.get(token);
        if (agents != null && !agents.stopping) {
            agents.stopping = true;
            agents.killNanos = System.nanoTime() + KILL_NANOS;
            agents.agents.values().forEach(agent -> agent.ifPresent(ProcessHandle::destroy));
            wake.run();
        }
    }

    @Override
    public List<Report> reports() {
        List<Report> reports = new ArrayList<>();
        for (Iterator<Map.Entry<Long, Crew>> all = agentsByJob.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Long, Crew> each = all.next();
            long token = each.getKey();
            Crew agents = each.getValue();
            if (agents.stopping && System.nanoTime() - agents.killNanos > 0) {
                fence.of(token).forEach(ProcessHandle::destroyForcibly);
            }
            reportEndedAgents(token, agents, reports);
            if (agents.agents.isEmpty() && Fence.isClear(fence.of(token))) {
                reports.add(new Report.AgentsEnded(token));
                all.remove();
            }
        }
        return reports;
    }

    private void reportEndedAgents(long token, Crew agents, List<Report> reports) {
        agents.agents.entrySet().removeIf(agent -> {
            boolean alive = agent.getValue().map(ProcessLauncher::isAlive).orElse(false);
            boolean ended = !alive && isFenced(new AgentId(token, agent.getKey()));
            if (ended) {
                reports.add(new Report.AgentEnded(token, agent.getKey()));
            }
            return ended;
        });
    }

    /** Whether a process runs; one that has ended and that its parent, the first process of a container, does not wait for is alive for Java. */
    private static boolean isAlive(ProcessHandle process) {
        return process.isAlive() && LivingProcess.of(process.pid()) != null;
    }

    /** Scans twice: a scan can miss a process together with the child that it starts just before it ends. */
    private boolean isFenced(AgentId agent) {
        return IntStream.range(0, 2).allMatch(attempt -> fence.isClear(agent));
    }
}
