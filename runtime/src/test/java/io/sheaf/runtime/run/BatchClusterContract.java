package io.sheaf.runtime.run;

import io.sheaf.agent.Fence;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.runtime.cluster.AgentReserve;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.RunClock;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;

/** The contract of batch systems, for one that is driven by commands and runs agents in its jobs, on the real clock. */
abstract class BatchClusterContract extends BatchSystemContract {
    /** A cluster has a given number of nodes of one core. */
    static final int NODES = DrivenBackEnd.NODES;

    @TempDir
    static Path agentFiles = Path.of("");

    @TempDir
    Path folder = Path.of("");

    /** Access to the cluster, with environment variables in addition to its own. */
    abstract ClusterAccess site(Map<String, String> environment);

    abstract Placement placement();

    /** Deletes all jobs. */
    abstract void deleteAll();

    abstract boolean isEmpty();

    /** The reserve that is added to requested walltimes, as in a run. */
    AgentReserve reserve(Cluster cluster) {
        return AgentReserve.of(cluster);
    }

    /** The speed of the cluster's clock as a multiple of the real clock's. */
    int speed() {
        return 1;
    }

    /** The time of the cluster's clock, in milliseconds, which agents and reports of the cluster use. */
    long clusterTime() {
        return System.currentTimeMillis();
    }

    private RunClock clock() {
        long from = System.nanoTime();
        return RunClock.of(0, clusterTime(), () -> (System.nanoTime() - from) * speed() / 1_000_000);
    }

    @Override
    protected BackEnd open(Workflow workflow) {
        try {
            Path place = Files.createTempDirectory(folder, "run of a person's");
            Path logs = Files.createDirectory(place.resolve("logs"));
            RunFolder run = new RunFolder(place);
            Credentials.create(run.credentials());
            EventQueue inbox = new EventQueue();
            RunClock clock = clock();
            Journal log = Journal.open(place.resolve("cluster"), "test", message -> {});
            ServerLink link = new ServerLink(run, log.epoch(), ServerSettings.loopback(), inbox, message -> {});
            link.announce();
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.put("SHEAF_STATE", place.toString());
            RunSpec spec = new RunSpecBuilder("contract" + System.nanoTime(), "contract", place, "glume")
                    .nodes(NODES, 1)
                    .on(placement())
                    .build();
            ClusterAccess.Context around = new ClusterAccess.Context(
                    run, run.path(), Launch.from(agentFiles), log, link, clock, inbox::wake, message -> {});
            Cluster backend = site(environment).open(spec, around);
            return new DrivenBackEnd(
                    backend,
                    reserve(backend),
                    link,
                    new TaskStarts(new Forest(workflow), spec, logs, workflow::resources),
                    inbox,
                    clock) {
                @Override
                protected long pass(long until) {
                    return Math.min(until - now(), tick() / 10) / speed();
                }

                @Override
                public void close() {
                    deleteAll();
                    awaitEndOfAllJobs(spec.id());
                    super.close();
                    link.close();
                    log.close();
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end of all jobs and of all processes of the run, which write files until then. */
    private void awaitEndOfAllJobs(String run) {
        Fence fence = new Fence(run);
        for (int i = 0; i < 300; i++) {
            if (isEmpty() && fence.all().isEmpty()) {
                return;
            }
            LockSupport.parkNanos(300_000_000);
        }
        throw new AssertionError("a job is left");
    }

    /** Long enough for a job to start and its agents to connect, also on a busy machine. */
    @Override
    protected long tick() {
        return 5_000;
    }
}
