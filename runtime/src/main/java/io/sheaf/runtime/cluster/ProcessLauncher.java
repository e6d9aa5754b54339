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
 * <p>A node is reported as gone when its agent has ended and all processes of the agent are killed. A pilot job has
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
    private final Map<Long, Crew> crews = new LinkedHashMap<>();

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
        return AgentSettings.keptMillis(GRACE_MILLIS);
    }

    @Override
    public void launch(long token, int nodes, long walltime) {
        Crew crew = new Crew();
        crews.put(token, crew);
        AgentSettings settings = new AgentSettings(id, cores, memory, gpus, walltime, GRACE_MILLIS, false);
        for (int node = 0; node < nodes; node++) {
            try {
                add(
                        crew,
                        node,
                        launch.start(run, new AgentId(token, node), settings).toHandle());
            } catch (IOException e) {
                messages.accept("an agent could not be started: " + e.getMessage());
                crew.agents.put(node, Optional.empty());
                wake.run();
            }
        }
    }

    @Override
    public void adopt(long token, int nodes) {
        Crew crew = new Crew();
        crews.put(token, crew);
        fence.agentsOf(token).forEach(found -> add(crew, found.node(), found.process()));
        for (int node = 0; node < nodes; node++) {
            crew.agents.putIfAbsent(node, Optional.empty());
        }
        wake.run();
    }

    private void add(Crew crew, int node, ProcessHandle process) {
        crew.agents.put(node, Optional.of(process));
        CompletableFuture<Void> unused = process.onExit().thenRun(wake);
    }

    @Override
    public void stop(long token) {
        Crew crew = crews.get(token);
        if (crew != null && !crew.stopping) {
            crew.stopping = true;
            crew.killNanos = System.nanoTime() + KILL_NANOS;
            crew.agents.values().forEach(agent -> agent.ifPresent(ProcessHandle::destroy));
            wake.run();
        }
    }

    @Override
    public List<Report> reports() {
        List<Report> reports = new ArrayList<>();
        for (Iterator<Map.Entry<Long, Crew>> all = crews.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Long, Crew> each = all.next();
            long token = each.getKey();
            Crew crew = each.getValue();
            if (crew.stopping && System.nanoTime() - crew.killNanos > 0) {
                fence.of(token).forEach(ProcessHandle::destroyForcibly);
            }
            nodesGone(token, crew, reports);
            if (crew.agents.isEmpty() && Fence.isClear(fence.of(token))) {
                reports.add(new Report.Gone(token));
                all.remove();
            }
        }
        return reports;
    }

    private void nodesGone(long token, Crew crew, List<Report> reports) {
        for (Iterator<Map.Entry<Integer, Optional<ProcessHandle>>> all =
                        crew.agents.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<Integer, Optional<ProcessHandle>> agent = all.next();
            boolean alive = agent.getValue().map(ProcessLauncher::isAlive).orElse(false);
            if (!alive && isFenced(new AgentId(token, agent.getKey()))) {
                reports.add(new Report.NodeGone(token, agent.getKey()));
                all.remove();
            }
        }
    }

    /** Whether a process runs; one that has ended and that its parent, the first process of a container, does not wait for is alive for Java. */
    private static boolean isAlive(ProcessHandle process) {
        return process.isAlive() && LivingProcess.of(process.pid()) != null;
    }

    /** Scans twice: a scan can miss a process together with the child that it starts just before it ends. */
    private boolean isFenced(AgentId agent) {
        boolean clear = true;
        for (int look = 0; clear && look < 2; look++) {
            clear = fence.isClear(agent);
        }
        return clear;
    }
}
