package io.sheaf.runtime.run;

import io.sheaf.agent.Fence;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.EmbeddedCluster;
import io.sheaf.runtime.cluster.ProcessLauncher;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.cluster.Shapes;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract of batch systems, for the embedded cluster on the wall clock, with real processes as agents and tasks.
 *
 * <p>The tests wait most of the time, so several run at once, each on a cluster of its own.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class RealAgentsContractIT extends BatchSystemContract {
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final long LAST_TOKEN = 100;

    @TempDir
    static Path agentFiles = Path.of("");

    @TempDir
    Path folder = Path.of("");

    @Override
    protected BackEnd open(Workflow workflow) {
        String id = "contract-" + ProcessHandle.current().pid() + "-" + OPENED.incrementAndGet();
        try {
            Path place = Files.createTempDirectory(folder, "run");
            Path logs = Files.createDirectory(place.resolve("logs"));
            RunFolder run = new RunFolder(place);
            Credentials.create(run.credentials());
            EventQueue inbox = new EventQueue();
            RunClock clock = RunClock.system(0);
            Journal log = Journal.open(place.resolve("cluster"), "test", message -> {});
            ServerLink link = new ServerLink(run, log.epoch(), ServerSettings.loopback(), inbox, message -> {});
            link.announce();
            RunSpec spec = new RunSpecBuilder(id, "contract", place, "glume")
                    .nodes(4, 1)
                    .build();
            ProcessLauncher launcher = new ProcessLauncher(
                    Launch.from(agentFiles), run, id, Resources.node(1, 0, 0), inbox::wake, message -> {});
            Cluster cluster = new EmbeddedCluster(Shapes.of(DrivenBackEnd.NODES, 1), log, launcher, clock);
            return new DrivenBackEnd(
                    cluster,
                    AgentReserve.NONE,
                    link,
                    new TaskStarts(new Forest(workflow), spec, logs, workflow::resources),
                    inbox,
                    clock) {
                @Override
                protected long pass(long until) {
                    return Math.min(until - now(), tick() / 10);
                }

                @Override
                public void close() {
                    super.close();
                    Fence fence = new Fence(id);
                    for (long token = 1; token < LAST_TOKEN; token++) {
                        fence.of(token).forEach(ProcessHandle::destroyForcibly);
                    }
                    link.close();
                    log.close();
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Agents stop six seconds before the walltime, which must be less than a tick. */
    @Override
    protected long tick() {
        return 7_000;
    }
}
