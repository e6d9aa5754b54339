package io.sheaf.runtime.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.Fence;
import io.sheaf.agent.link.ServerSettings;
import io.sheaf.runtime.batch.LocalAccess;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.spec.Placement;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.RunSpecBuilder;
import io.sheaf.spool.Spool;
import io.sheaf.spool.SpoolCommands;
import io.sheaf.testing.Await;
import io.sheaf.workflow.Command;
import io.sheaf.workflow.WorkflowBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a run is removed while its manager runs. The manager detects this, cancels its jobs and ends. */
@Tag("slow")
class RemovedRunIT {
    private static final int TIMEOUT_SECONDS = 90;

    @TempDir
    Path folder = Path.of("");

    private final List<String> messages = new CopyOnWriteArrayList<>();

    @Test
    void theManagerCancelsItsJobsAndEnds() throws Exception {
        WorkflowBuilder builder = new WorkflowBuilder("long");
        builder.command(builder.task("sleep"), Command.of(List.of("sleep", "300")));
        builder.time(0, 300_000_000L);
        try (Spool spool = new Spool(1)) {
            ClusterAccess site = LocalAccess.of(new SpoolCommands(spool, 1), System.getenv());
            RunSpec spec = new RunSpecBuilder("removed" + System.nanoTime(), "long", folder, "onejob")
                    .nodes(1, 1)
                    .on(new Placement("spool", List.of()))
                    .build();
            WorkflowRun run = WorkflowRun.create(
                    folder.resolve("run"), spec, WorkflowRun.Tasks.of(builder.build()), folder.resolve("kit"), site);
            CompletableFuture<RunLoop.Ending> ending = CompletableFuture.supplyAsync(() -> executeRun(run, site));
            Await.until(
                    "a process of the run exists",
                    () -> !new Fence(spec.id()).all().isEmpty());
            Files.move(folder.resolve("run"), folder.resolve("removed"));
            assertThat(ending.get(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo(RunLoop.Ending.REMOVED);
            Await.until("the spool is empty", spool::isEmpty);
            Await.until(
                    "no process of the run is left",
                    () -> new Fence(spec.id()).all().isEmpty());
            assertThat(messages)
                    .last()
                    .asString()
                    .contains("the run folder was removed; this process cancels its jobs");
            assertThat(folder.resolve("run"))
                    .as("the folder is not created again")
                    .doesNotExist();
        }
    }

    private RunLoop.Ending executeRun(WorkflowRun run, ClusterAccess site) {
        try {
            return run.execute(messages::add, new ManagerLease(false, ServerSettings.loopback()), site);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
