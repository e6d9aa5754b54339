package io.sheaf.runtime.local;

import io.sheaf.agent.Fence;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.Credentials;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.oar.OarSite;
import io.sheaf.runtime.Backend;
import io.sheaf.runtime.DrivenBackEnd;
import io.sheaf.runtime.Forest;
import io.sheaf.runtime.Inbox;
import io.sheaf.runtime.RunClock;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.testing.BackEnd;
import io.sheaf.testing.BatchSystemContract;
import io.sheaf.testing.RealOar;
import io.sheaf.testing.TestOar;
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

/** OAR does what every batch system must do: a real one, on the real clock, since most of its time goes into starting jobs and not into waiting. */
@Tag("slow")
class OarContractIT extends BatchSystemContract {
    private static final int NODES = 4;

    @TempDir
    static Path kit = Path.of("");

    @RegisterExtension
    static final TestOar OAR = TestOar.of(NODES, 1);

    @TempDir
    Path folder = Path.of("");

    private static RunClock clock() {
        long from = System.nanoTime();
        return RunClock.of(0, System.currentTimeMillis(), () -> (System.nanoTime() - from) / 1_000_000);
    }

    @Override
    protected BackEnd open(Workflow workflow) {
        RealOar cluster = OAR.get();
        try {
            Path place = Files.createTempDirectory(folder, "run of a person's");
            Path logs = Files.createDirectory(place.resolve("logs"));
            RunFolder run = new RunFolder(place);
            Credentials.create(run.credentials());
            Inbox inbox = new Inbox();
            RunClock clock = clock();
            Journal log = Journal.open(place.resolve("cluster"), "test", message -> {});
            ServerLink link = new ServerLink(run, log.epoch(), ServerSettings.loopback(), inbox, message -> {});
            link.announce();
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(cluster.environment());
            environment.put("SHEAF_STATE", place.toString());
            RunSpec spec = new RunSpec(
                    "contract" + System.nanoTime(),
                    "contract",
                    place.toString(),
                    false,
                    false,
                    "glume",
                    "own",
                    NODES,
                    1,
                    "",
                    0,
                    16,
                    false,
                    60_000,
                    new Where(OarSite.NAME, List.of()));
            Backend backend = new OarSite(environment, 1_000)
                    .open(
                            spec,
                            new Site.Surroundings(run, Launch.from(kit), log, link, clock, inbox::wake, message -> {}));
            return new DrivenBackEnd(backend, link, new TaskStarts(new Forest(workflow), spec, logs), inbox, clock) {
                @Override
                protected long pass(long until) {
                    return Math.min(until - now(), tick() / 10);
                }

                @Override
                public void close() {
                    cluster.deleteAll();
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
    private static void awaitNothingLeft(RealOar cluster, String run) {
        Fence fence = new Fence(run);
        for (int i = 0; i < 100; i++) {
            if (cluster.ask("oarstat").isBlank() && fence.all().isEmpty()) {
                return;
            }
            LockSupport.parkNanos(300_000_000);
        }
        throw new AssertionError("a job is left");
    }

    /** Within it a job starts, and its agents call, on a machine that does other things as well. */
    @Override
    protected long tick() {
        return 5_000;
    }
}
