package io.sheaf.runtime.local;

import io.sheaf.agent.Fence;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.driver.Unforeseen;
import io.sheaf.runtime.Backend;
import io.sheaf.runtime.DrivenBackEnd;
import io.sheaf.runtime.Forest;
import io.sheaf.runtime.Inbox;
import io.sheaf.runtime.RunClock;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.slurm.SlurmSite;
import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Slurm does what every batch system must do: a real one, whose clock is fast, since it counts time limits in minutes. */
@Tag("slow")
class SlurmContractIT extends BatchSystemContract {
    private static final int SPEED = 10;
    private static final int NODES = 4;

    @TempDir
    static Path kit = Path.of("");

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.Shape.of(NODES).speed(SPEED));

    @TempDir
    Path folder = Path.of("");

    /** The cluster's clock: agents, and the seconds that Slurm prints, go by it. */
    private static RunClock clock(RealSlurm cluster) {
        long from = System.nanoTime();
        return RunClock.of(
                0, Long.parseLong(cluster.ask("date", "+%s%3N")), () -> (System.nanoTime() - from) * SPEED / 1_000_000);
    }

    @Override
    protected BackEnd open(Workflow workflow) {
        RealSlurm cluster = SLURM.get();
        try {
            Path place = Files.createTempDirectory(folder, "run");
            Path logs = Files.createDirectory(place.resolve("logs"));
            RunFolder run = new RunFolder(place);
            Credentials.create(run.credentials());
            Inbox inbox = new Inbox();
            RunClock clock = clock(cluster);
            Journal log = Journal.open(place.resolve("cluster"), "test", message -> {});
            ServerLink link = new ServerLink(run, log.epoch(), ServerSettings.loopback(), inbox, message -> {});
            link.announce();
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(cluster.environment());
            environment.put("SHEAF_STATE", place.toString());
            RunSpec spec = new RunSpecBuilder(place.getFileName().toString(), "contract", place, "glume")
                    .nodes(NODES, 1)
                    .on(new Where(SlurmSite.NAME, List.of()))
                    .build();
            Backend backend = new SlurmSite(environment, 1_000, new Unforeseen())
                    .open(
                            spec,
                            new Site.Surroundings(run, Launch.from(kit), log, link, clock, inbox::wake, message -> {}));
            return new DrivenBackEnd(backend, link, new TaskStarts(new Forest(workflow), spec, logs), inbox, clock) {
                @Override
                protected long pass(long until) {
                    return Math.min(until - now(), tick() / 10) / SPEED;
                }

                @Override
                public void close() {
                    cluster.run("scancel", "-u", System.getProperty("user.name"));
                    awaitNothingLeft(cluster, spec.id());
                    super.close();
                    link.close();
                    log.close();
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a job leaves is written until its last process has ended. */
    private static void awaitNothingLeft(RealSlurm cluster, String run) {
        Fence fence = new Fence(run);
        for (int i = 0; i < 100; i++) {
            if (cluster.run("squeue", "-h").text().isBlank() && fence.all().isEmpty()) {
                return;
            }
            LockSupport.parkNanos(100_000_000);
        }
        throw new AssertionError("a job is left");
    }

    /** Five of them are less than a minute, which agents end 13 s early. */
    @Override
    protected long tick() {
        return 11_000;
    }
}
