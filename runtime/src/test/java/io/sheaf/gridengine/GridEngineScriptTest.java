package io.sheaf.gridengine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.PilotJobScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of a pilot job, run by a shell with other programs in place of {@code qrsh} and Java. */
class GridEngineScriptTest {
    @TempDir
    Path folder = Path.of("");

    /** A name that a shell would take apart. */
    private RunFolder run() {
        return new RunFolder(folder.resolve("it's \"the\" $HOME `run` (1)"));
    }

    private Path jobs() {
        return run().path().resolve("gridengine");
    }

    private GridEngineScript script(int cores, String... options) throws IOException {
        return new GridEngineScript(new PilotJobScript(
                Launch.from(folder.resolve("kit")),
                run(),
                "r1",
                cores,
                jobs(),
                List.of(options),
                "my flow",
                Pools.NONE));
    }

    @Test
    void theWordsOfASubmission() throws Exception {
        assertThat(script(2, "-pe", "two", "-q", "all.q").submission(7, Request.of(3, 90_500), 0, 11))
                .containsExactly(
                        "qsub",
                        "-terse",
                        "-N",
                        "sheaf-my_flow-p7.r1",
                        "-V",
                        "-r",
                        "n",
                        "-wd",
                        "/",
                        "-o",
                        "/dev/null",
                        "-j",
                        "y",
                        "-l",
                        "h_rt=91",
                        "-pe",
                        "two",
                        "6",
                        "-hold_jid",
                        "11",
                        "-q",
                        "all.q",
                        "-b",
                        "y",
                        "-shell",
                        "n",
                        "/bin/bash",
                        jobs() + "/7/script");
        assertThat(script(1).submission(7, Request.of(1, 90_500), 1, -1))
                .contains("-a")
                .doesNotContain("-pe", "-hold_jid");
    }

    /** Each agent leaves its mark, whatever it is that was run in its place. */
    private JobFolder start(int nodes, int cores, String hosts) throws Exception {
        Path qrsh = folder.resolve("qrsh");
        Files.writeString(qrsh, "#!/bin/sh\necho \"$3\" >> '" + folder + "/elsewhere'\nshift 3\neval \"$*\"\n");
        Files.setPosixFilePermissions(qrsh, PosixFilePermissions.fromString("rwxr-xr-x"));
        JobFolder marks = JobFolder.of(jobs(), 7);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        marks.write(
                script(cores, "-pe", "mpi").text(7, Request.of(nodes, 90_000)).replace(java, "/bin/true"));
        ProcessBuilder builder = new ProcessBuilder("bash", marks.script().toString()).directory(folder.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.environment().put("JOB_ID", "17");
        builder.environment().put("RESTARTED", "0");
        builder.environment()
                .put(
                        "PE_HOSTFILE",
                        Files.writeString(folder.resolve("hosts"), hosts).toString());
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(said).isEmpty();
        return marks;
    }

    @Test
    void agentsAreStartedWhereTheSlotsAre() throws Exception {
        JobFolder marks = start(3, 2, "n1 4 all.q@n1 UNDEFINED\nn2 2 all.q@n2 UNDEFINED\n");
        assertThat(marks.isEnded() && marks.isGone(0) && marks.isGone(1) && marks.isGone(2))
                .as(Files.readString(marks.folder().resolve("output")))
                .isTrue();
        assertThat(marks.by()).extracting(JobFolder.By::job).isEqualTo(17L);
        assertThat(folder.resolve("elsewhere")).content().isEqualTo("n2\n");
    }

    @Test
    void slotsThatMakeNoNodesAreReported() throws Exception {
        JobFolder marks = start(2, 2, "n1 3 all.q@n1 UNDEFINED\nn2 1 all.q@n2 UNDEFINED\n");
        assertThat(marks.isEnded()).isFalse();
        assertThat(Files.readString(marks.folder().resolve("output"))).contains("slots for 2 nodes were requested");
    }
}
