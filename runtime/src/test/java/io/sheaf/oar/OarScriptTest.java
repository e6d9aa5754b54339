package io.sheaf.oar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.testing.Await;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of a pilot job, run by a shell with another program in place of {@code oarsh}. */
class OarScriptTest {
    @TempDir
    Path folder = Path.of("");

    /** A folder name with characters that shells interpret. */
    private Path run() {
        return folder.resolve("it's \"the\" $HOME `run` (1)");
    }

    private JobFolder jobFolder() {
        return JobFolder.of(run().resolve("oar"), 7);
    }

    private OarScript script(String... options) throws IOException {
        PilotJobScript common = new PilotJobScript(
                Launch.from(folder.resolve("kit")),
                new RunFolder(run()),
                "r1",
                4,
                run().resolve("oar"),
                List.of(options),
                "my flow",
                Pools.NONE,
                null);
        return new OarScript(common, folder + ":" + System.getenv("PATH"), true);
    }

    /** 3000 MiB of tasks and 256 of the agent, beside the user's own property. */
    @Test
    void memoryIsAPropertyOfNodes() throws Exception {
        Request request = Request.of(2, 90_000).needing(Resources.ONE_CORE.memory(3000L << 20));
        assertThat(script().submission(7, request, null, -1)).contains("--property=memnode >= 3256");
        assertThat(script("--property=gpu = 'YES'").submission(7, request, null, -1))
                .contains("--property=(gpu = 'YES') AND memnode >= 3256");
        assertThat(script("-p", "a OR b").submission(7, request, null, -1))
                .contains("--property=(a OR b) AND memnode >= 3256");
        assertThat(script().submission(7, Request.of(2, 90_000), null, -1))
                .noneMatch(word -> word.startsWith("--property"));
    }

    /** Runs the script as a job, with a program in place of agents that waits until it is terminated. */
    private Process start(String job, int nodes) throws Exception {
        Path oarsh = folder.resolve("oarsh");
        Files.writeString(oarsh, """
                #!/bin/bash
                # The words are put together, and a shell on the node takes them apart.
                echo 'trap "echo $2 ended >> $0.runs; exit" TERM; echo "$2 $SHEAF_NODE_NAME" >> "$0.runs"; sleep 60 & wait' > agent.$$
                # Another node's may be reading the one before.
                mv agent.$$ agent
                shift
                exec /bin/bash -c "$*"
                """);
        Files.setPosixFilePermissions(oarsh, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path file = Files.writeString(folder.resolve("nodes"), "n2\nn2\nn1\nn1\n");
        jobFolder().write(script("--project=a'b").text(7, Request.of(nodes, 90_000)));
        ProcessBuilder builder = new ProcessBuilder("bash", jobFolder().script().toString()).directory(folder.toFile());
        builder.environment().put("OAR_JOB_ID", job);
        builder.environment().put("OAR_NODE_FILE", file.toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("console").toFile())
                .start();
    }

    private void await(int lines) throws Exception {
        Path runs = jobFolder().folder().resolve("agent.runs");
        Await.until(
                () -> lines + " lines; output of the job: "
                        + Files.readString(folder.resolve("console"))
                        + Files.readString(jobFolder().folder().resolve("output")),
                () -> Files.exists(runs) && Files.readAllLines(runs).size() >= lines);
    }

    @Test
    void aSubmissionPassesTheRequestToOarsub() throws Exception {
        assertThat(script("--project=physics", "-t", "besteffort")
                        .submission(
                                7,
                                Request.of(2, 7_290_000),
                                LocalDateTime.of(2026, 11, 15, 17, 5, 9)
                                        .atZone(ZoneId.systemDefault())
                                        .toInstant(),
                                11))
                .containsExactly(
                        "oarsub",
                        "--name=sheaf-my_flow-p7.r1",
                        // 2 h 1 min 30 s, and 15 s for agents to end.
                        "--resource=/nodes=2/resource_id=4,walltime=2:01:45",
                        "--directory=/",
                        "--stdout=/dev/null",
                        "--stderr=/dev/null",
                        "--type=postpone=2026-11-15 17:05:09",
                        "--anterior=11",
                        "--project=physics",
                        "-t",
                        "besteffort",
                        "/bin/bash '" + folder + "/it'\\''s \"the\" $HOME `run` (1)/oar/7/script'");
    }

    @Test
    void avoidedNodesAreExcludedBesideTheUsersProperty() throws Exception {
        Request request = Request.of(1, 60_000).avoiding(List.of("n1", "n2"));
        assertThat(script().submission(7, request, null, -1)).contains("--property=network_address NOT IN ('n1','n2')");
        assertThat(script("--property=mem > 64").submission(7, request, null, -1))
                .containsSubsequence(
                        "--property=mem > 64", "--property=(mem > 64) AND network_address NOT IN ('n1','n2')");
    }

    @Test
    void agentsRunOnAllNodesAndEndWithTheJob() throws Exception {
        Process job = start("17", 2);
        await(2);
        assertThat(Files.readAllLines(jobFolder().folder().resolve("agent.runs")))
                .containsExactlyInAnyOrder("0 n1", "1 n2");
        JobFolder.Starter startedBy = jobFolder().starter();
        assertThat(startedBy).isNotNull();
        assertThat(startedBy)
                .extracting(JobFolder.Starter::job, JobFolder.Starter::restarts)
                .containsExactly(17L, 0);
        // OAR does the same, and does not end processes on other nodes.
        job.destroyForcibly();
        await(4);
        assertThat(Files.readAllLines(jobFolder().folder().resolve("agent.runs")))
                .contains("0 ended", "1 ended");
    }

    @Test
    void aSecondJobOfAPilotJobDoesNothing() throws Exception {
        Files.createDirectories(jobFolder().folder().resolve("started"));
        Process job = start("18", 2);
        assertThat(job.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(job.exitValue()).isZero();
        assertThat(jobFolder().folder().resolve("agent")).doesNotExist();
    }
}
