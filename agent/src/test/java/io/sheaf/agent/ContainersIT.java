package io.sheaf.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sheaf.agent.protocol.AttemptOutcome;
import io.sheaf.agent.protocol.Message.Ended;
import io.sheaf.agent.protocol.Needs;
import io.sheaf.agent.protocol.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests tasks in Podman containers, with an image made of a static busybox. Skipped if Podman or busybox is absent and
 * cannot be installed.
 */
@Timeout(1200)
class ContainersIT {
    private static final String IMAGE = "localhost/sheaf-test-busybox:1";

    @TempDir
    static Path runPath = Path.of("");

    @TempDir
    Path folder = Path.of("");

    @TempDir
    Path elsewhere = Path.of("");

    private static TestNode node;
    private static Path settings;
    private static int task;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        // Limits above those of the process are refused in some environments.
        settings = Files.writeString(runPath.resolve("containers.conf"), """
                [containers]
                default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
                [engine]
                runtime = "runc"
                """);
        String packages = "'" + Path.of("..", "tools", "packages").toAbsolutePath() + "' ";
        assumeTrue(
                shell(packages + "busybox busybox-static && " + packages + "podman podman runc") == 0,
                "no static busybox or no podman (Debian packages busybox-static, podman, runc)");
        String build = "mkdir -p root/bin root/tmp && cp /bin/busybox root/bin && for a in sh cat echo id sleep; do"
                + " ln -sf busybox root/bin/$a; done && tar -C root -cf image.tar . && podman import -q image.tar "
                + IMAGE
                + " && podman run --rm " + IMAGE + " /bin/echo works";
        assumeTrue(shell(build) == 0, "podman cannot run a container here");
        node = TestNode.connect(runPath, new AgentSettings("r" + runPath, 4, 0, List.of(), 0, 500, false, ""));
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        if (node != null) {
            node.close();
            shell("podman rmi -f " + IMAGE);
        }
    }

    private static int shell(String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script)
                .directory(runPath.toFile())
                .redirectErrorStream(true)
                .redirectOutput(runPath.resolve("shell.txt").toFile());
        builder.environment().put("CONTAINERS_CONF", settings.toString());
        Process process = builder.start();
        if (!process.waitFor(300, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }

    private Ended run(Needs needs, List<String> inputs, String script, String... outputs) throws InterruptedException {
        Map<String, String> environment = Map.of(
                "CONTAINERS_CONF", settings.toString(), "SHEAF_CONTAINER_ENGINE", "podman", "GREETING", "two words");
        Work work = new Work("boxed", List.of("/bin/sh", "-c", script), List.of(), List.of(IMAGE), environment);
        return node.run(Jobs.start(folder, ++task, work, needs, inputs, List.of(outputs)));
    }

    @Test
    void aTaskInAContainerSeesItsFilesAndVariables() throws IOException, InterruptedException {
        Path input = Files.writeString(elsewhere.resolve("input.txt"), "from elsewhere\n");
        Files.createSymbolicLink(folder.resolve("link.txt"), input);
        Ended ended = run(
                Needs.cores(1),
                List.of(input.toString(), "link.txt"),
                "cat link.txt " + input + " > out.txt; echo $GREETING $SHEAF_TASK >> out.txt; [ ! -e /usr ]",
                "out.txt");
        assertThat(ended.outcome()).as(ended.toString()).isEqualTo(AttemptOutcome.SUCCEEDED);
        assertThat(Files.readAllLines(folder.resolve("out.txt")))
                .containsExactly("from elsewhere", "from elsewhere", "two words boxed");
        assertThat(Files.getOwner(folder.resolve("out.txt"))).isEqualTo(Files.getOwner(input));
    }

    @Test
    void theExitStatusOfTheProgramIsReported() throws InterruptedException {
        Ended ended = run(Needs.cores(1), List.of(), "exit 7");
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.FAILED);
        assertThat(ended.exitStatus()).isEqualTo(7);
    }

    @Test
    void aTaskOverItsTimeLimitIsKilledWithItsContainer() throws IOException, InterruptedException {
        Ended ended = run(new Needs(1, 0, 0, 3_000, List.of()), List.of(), "echo begun; sleep 987");
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.TIME_LIMIT);
        assertThat(shell("podman ps -q | grep .")).isNotZero();
    }

    @Test
    void anImageThatCannotBePulledIsReported() throws InterruptedException {
        Map<String, String> environment =
                Map.of("CONTAINERS_CONF", settings.toString(), "SHEAF_CONTAINER_ENGINE", "podman");
        Work work = new Work("t", List.of("true"), List.of(), List.of("localhost/no-such-image:1"), environment);
        Ended ended = node.run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.FAILED);
        assertThat(String.join("\n", ended.lastLines())).contains("no-such-image");
        assertThat(ended.reason()).startsWith("exit status 125: the container did not start");
    }

    @Test
    void aContainerTaskWithoutAnEngineIsNotRunnable() throws InterruptedException {
        Work work = new Work("t", List.of("true"), List.of(), List.of("python:3.12"), Map.of("PATH", folder + ""));
        Ended ended = node.run(Jobs.start(folder, ++task, work, Needs.cores(1), List.of(), List.of()));
        assertThat(ended.outcome()).isEqualTo(AttemptOutcome.NOT_RUNNABLE);
    }
}
