package io.sheaf.gridengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.workflow.Resources;
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

    /** A folder name with characters that shells interpret. */
    private RunFolder run() {
        return new RunFolder(folder.resolve("it's \"the\" $HOME `run` (1)"));
    }

    private String complexes = "";

    private Path jobs() {
        return run().path().resolve("gridengine");
    }

    private GridEngineScript script(int cores, String... options) throws IOException {
        return new GridEngineScript(
                new PilotJobScript(
                        Launch.from(folder.resolve("kit")),
                        run(),
                        "r1",
                        cores,
                        jobs(),
                        List.of(options),
                        "my flow",
                        Pools.NONE,
                        null),
                Consumables.parse(complexes));
    }

    @Test
    void aSubmissionPassesTheRequestToQsub() throws Exception {
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

    /** 3000 MiB of tasks and 256 of the agent on two slots are 1628 each; h_vmem limits the address space, of which Java reserves 1 GiB. */
    @Test
    void memoryAndGpusAreRequestedByTheSitesConsumables() throws Exception {
        Request request = Request.of(3, 90_500).needing(new Resources(1, 3000L << 20, 2, 1));
        assertThat(script(2, "-pe", "two").submission(7, request, 0, -1)).contains("h_rt=91");
        complexes = """
                #name  shortcut type   relop requestable consumable default urgency
                gpu    gpu      INT    <=    YES         YES        0       0
                h_vmem h_vmem   MEMORY <=    YES         YES        0       0
                """;
        assertThat(script(2, "-pe", "two").submission(7, request, 0, -1)).contains("h_rt=91,h_vmem=2012M,gpu=1");
        assertThat(script(2, "-pe", "two", "-l", "h_vmem=9G").submission(7, request, 0, -1))
                .contains("h_rt=91,gpu=1,h_vmem=9G");
        assertThatThrownBy(() -> script(4, "-pe", "four").submission(7, request, 0, -1))
                .hasMessageContaining("2 GPUs on nodes of 4 slots");
        complexes += "mem_free mf MEMORY <= YES JOB 0 0\nngpus ng INT <= NO YES 0 0\n";
        assertThat(script(2, "-pe", "two").submission(7, request, 0, -1)).contains("h_rt=91,mem_free=9768M,gpu=1");
        assertThat(script(2, "-pe", "two").submission(7, Request.of(3, 90_500), 0, -1))
                .contains("h_rt=91");
        assertThat(
                        Consumables.amount(
                                new Consumables.Consumable("h_vmem", false),
                                "hostname n1\ncomplex_values        gpu=2, \\\n                      h_vmem=64G\nload_values h_vmem=9\n"))
                .isEqualTo("64G");
        assertThat(GridEngineAnswers.requests("job_name x\nhard resource_list:         h_rt=91,h_vmem=2012M\n"))
                .isEqualTo(",h_vmem=2012M");
    }

    @Test
    void avoidedHostsAreExcludedUnlessTheUserNamesHosts() throws Exception {
        Request request = Request.of(1, 90_500).avoiding(List.of("n1", "n2"));
        assertThat(script(1, "-l", "mem_free=2G").submission(7, request, 0, -1))
                .contains("h_rt=91,mem_free=2G,hostname=!(n1|n2)");
        assertThat(script(1, "-l", "h=n1").submission(7, request, 0, -1)).contains("h_rt=91,h=n1");
    }

    /** Runs the job script with {@code /bin/true} in place of Java and returns the folder of the job. */
    private JobFolder start(int nodes, int cores, String hosts) throws Exception {
        Path qrsh = folder.resolve("qrsh");
        Files.writeString(qrsh, "#!/bin/sh\necho \"$3\" >> '" + folder + "/elsewhere'\nshift 3\neval \"$*\"\n");
        Files.setPosixFilePermissions(qrsh, PosixFilePermissions.fromString("rwxr-xr-x"));
        JobFolder jobFolder = JobFolder.of(jobs(), 7);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        jobFolder.write(
                script(cores, "-pe", "mpi").text(7, Request.of(nodes, 90_000)).replace(java, "/bin/true"));
        ProcessBuilder builder = new ProcessBuilder("bash", jobFolder.script().toString()).directory(folder.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.environment().put("JOB_ID", "17");
        builder.environment().put("RESTARTED", "0");
        builder.environment()
                .put(
                        "PE_HOSTFILE",
                        Files.writeString(folder.resolve("hosts"), hosts).toString());
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(output).isEmpty();
        return jobFolder;
    }

    @Test
    void agentsStartOnTheHostsOfTheSlots() throws Exception {
        JobFolder jobFolder = start(3, 2, "n1 4 all.q@n1 UNDEFINED\nn2 2 all.q@n2 UNDEFINED\n");
        assertThat(jobFolder.isEnded()
                        && jobFolder.isNodeEnded(0)
                        && jobFolder.isNodeEnded(1)
                        && jobFolder.isNodeEnded(2))
                .as(Files.readString(jobFolder.folder().resolve("output")))
                .isTrue();
        assertThat(jobFolder.starter()).extracting(JobFolder.Starter::job).isEqualTo(17L);
        assertThat(folder.resolve("elsewhere")).content().isEqualTo("n2\n");
    }

    @Test
    void slotsThatDoNotFormNodesAreReported() throws Exception {
        JobFolder jobFolder = start(2, 2, "n1 3 all.q@n1 UNDEFINED\nn2 1 all.q@n2 UNDEFINED\n");
        assertThat(jobFolder.isEnded()).isFalse();
        assertThat(Files.readString(jobFolder.folder().resolve("output"))).contains("slots for 2 nodes were requested");
    }
}
