package io.sheaf.runtime.run;

import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.EmbeddedCluster;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.cluster.Shapes;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.io.TempDir;

/** The contract of batch systems, for the embedded cluster on a virtual clock, with simulated agents. */
class VirtualClusterContractTest extends BatchSystemContract {

    @TempDir
    Path folder = Path.of("");

    @Override
    protected BackEnd open(Workflow workflow) {
        AtomicLong clock = new AtomicLong(1_000_000);
        VirtualAgents agents = new VirtualAgents(task -> workflow.timeMicros(task) / 1000, () -> {});
        agents.advanceTo(clock.get());
        EventQueue inbox = new EventQueue();
        agents.connect(inbox);
        Journal log = log();
        Cluster cluster = cluster(log, agents, clock::get);
        return new DrivenBackEnd(cluster, AgentReserve.NONE, agents, VirtualRun::start, inbox, clock::get) {
            @Override
            protected long pass(long until) {
                clock.set(Math.max(clock.get(), Math.min(until, agents.next())));
                agents.advanceTo(clock.get());
                return 0;
            }

            @Override
            public void close() {
                super.close();
                log.close();
            }
        };
    }

    private static Cluster cluster(Journal log, VirtualAgents agents, RunClock clock) {
        try {
            return new EmbeddedCluster(Shapes.of(DrivenBackEnd.NODES, 1), log, agents, clock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Journal log() {
        try {
            return Journal.open(Files.createTempDirectory(folder, "cluster"), "test", message -> {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected long tick() {
        return 10_000;
    }
}
