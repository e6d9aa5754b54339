package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.Fence;
import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.testing.Await;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLauncherTest {
    @TempDir
    Path folder = Path.of("");

    /**
     * An agent of an earlier manager ends, and its parent does not wait for it, like the first process of many
     * containers. The agent stays in the process table as a zombie; the launcher reports its end.
     */
    @Test
    void theEndOfAnAgentIsReportedThoughItsZombieRemains() throws IOException, InterruptedException {
        String id = "run of " + folder;
        // The name and arguments of an agent: run folder, pilot job and node.
        String agent = "/bin/sh -c 'sleep 3; :' io.sheaf.agent.AgentMain folder 7 0";
        ProcessLauncher launcher = new ProcessLauncher(
                Launch.from(folder.resolve("kit")),
                new RunFolder(folder),
                id,
                Resources.node(1, 0, 0),
                () -> {},
                message -> {});
        Process parent = new ProcessBuilder(
                        "/bin/sh", "-c", "SHEAF_RUN='" + id + "' SHEAF_PLACEHOLDER=7 " + agent + " & exec sleep 100")
                .start();
        try {
            Fence fence = new Fence(id);
            Await.until("the agent runs", () -> !fence.agentsOf(7).isEmpty());
            long pid = fence.agentsOf(7).get(0).process().pid();
            launcher.adopt(7, 1);
            List<Launcher.Report> reports = new ArrayList<>(launcher.reports());
            assertThat(reports).as("the agent runs").isEmpty();
            Await.until("the launcher reports the end of the agent", () -> {
                reports.addAll(launcher.reports());
                return reports.contains(new Launcher.Report.AgentEnded(7, 0));
            });
            assertThat(ProcessHandle.of(pid)).as("still listed").isPresent();
        } finally {
            parent.destroyForcibly();
        }
    }
}
