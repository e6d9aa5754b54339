package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.JobFolder;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of a pilot job, run by a shell with another program in place of {@code srun}. */
class SlurmScriptTest {
    @TempDir
    Path folder = Path.of("");

    /** A folder name with characters that shells interpret. */
    private Path run() {
        return folder.resolve("it's \"the\" $HOME `run` (1)");
    }

    private PilotJobScript script(String... options) throws IOException {
        return new PilotJobScript(
                Launch.from(folder.resolve("kit")),
                new RunFolder(run()),
                "r1",
                4,
                run().resolve("slurm"),
                List.of(options),
                "",
                Pools.NONE,
                null);
    }

    private int start(String job, String restarts) throws Exception {
        Path srun = folder.resolve("srun");
        Files.writeString(srun, "#!/bin/sh\necho \"$SLURM_JOB_ID\" >> '" + folder + "/runs'\n");
        Files.setPosixFilePermissions(srun, PosixFilePermissions.fromString("rwxr-xr-x"));
        JobFolder jobFolder = JobFolder.of(run().resolve("slurm"), 7);
        jobFolder.write(SlurmScript.text(script("--comment=a'b"), 7, Request.of(2, 90_000)));
        ProcessBuilder builder = new ProcessBuilder("bash", jobFolder.script().toString()).directory(folder.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.environment().put("SLURM_JOB_ID", job);
        builder.environment().put("SLURM_RESTART_COUNT", restarts);
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(output).doesNotContain("syntax", "not found", "No such");
        return process.exitValue();
    }

    /** The name is readable in squeue and contains the run's id, by which the job is found. */
    @Test
    void aJobIsNamedAfterItsWorkflow() throws Exception {
        PilotJobScript plain = script();
        PilotJobScript named = new PilotJobScript(
                plain.launch(), plain.run(), "1f0c", 4, plain.all(), List.of(), "montage 2.0/a", Pools.NONE, null);
        assertThat(SlurmScript.submission(named, 7, Request.of(2, 90_000), 0, -1))
                .contains("--job-name=sheaf-montage_2_0_a-p7.1f0c", "--comment=sheaf-1f0c.7");
        assertThat(BatchCommands.identity("sheaf-montage_2_0_a-p7.1f0c")).isEqualTo("sheaf-1f0c.7");
        for (String other : List.of("sheaf-1f0c.7", "sheaf-1f0c.manager", "bash", "sheaf-doctor")) {
            assertThat(BatchCommands.identity(other)).isEqualTo(other);
        }
        List<String> lines =
                List.of("11|RUNNING|sheaf-montage-p7.1f0c|", "12|PENDING|sheaf-1f0c.7|x", "13|RUNNING|b|c");
        assertThat(SlurmAnswers.found(lines, "sheaf-1f0c.7")).hasSize(2);
    }

    @Test
    void avoidedNodesAreExcludedBesideTheUsersOwn() throws Exception {
        Request request = Request.of(1, 60_000).avoiding(List.of("n1", "n2"));
        assertThat(SlurmScript.submission(script(), 7, request, 0, -1)).endsWith("--exclude=n1,n2");
        assertThat(SlurmScript.submission(script("-x", "n7"), 7, request, 0, -1))
                .endsWith("--exclude=n7,n1,n2");
    }

    @Test
    void aSubmissionPassesTheRequestToSbatch() throws Exception {
        assertThat(SlurmScript.submission(script("--account=physics", "--mem=0"), 7, Request.of(2, 90_000), 30, 11))
                .containsExactly(
                        "sbatch",
                        "--parsable",
                        "--job-name=sheaf-r1.7",
                        "--comment=sheaf-r1.7",
                        "--no-requeue",
                        "--nodes=2",
                        "--ntasks-per-node=1",
                        "--cpus-per-task=4",
                        "--time=2",
                        "--output=" + run() + "/slurm/7/output",
                        "--open-mode=append",
                        "--begin=now+30",
                        "--dependency=afterany:11",
                        "--account=physics",
                        "--mem=0");
    }

    /** A range never exceeds the request; estimates are for the whole request. */
    @Test
    void anElasticRequestIsARange() throws Exception {
        PilotJobScript elastic = script("--time-min=30", "--nodes=2");
        assertThat(SlurmScript.submission(elastic, 7, Request.of(4, 3_600_000), 0, -1))
                .contains("--nodes=2-4", "--time=60", "--time-min=30")
                .doesNotContain("--nodes=2");
        assertThat(SlurmScript.submission(elastic, 7, Request.of(2, 600_000), 0, -1))
                .contains("--nodes=2", "--time=10", "--time-min=10");
        assertThat(SlurmScript.text(elastic, 7, Request.of(4, 3_600_000)))
                .contains("limit=$(((${granted:-1800}) * 1000))", "srun --overlap --nodes=$SLURM_JOB_NUM_NODES");
        assertThat(Submissions.of(elastic.options(), Map.of(), 4).options())
                .containsExactly("--ntasks-per-node=1", "--cpus-per-task=4");
    }

    /** 3 GiB for tasks and 256 MiB for the agent; a user's own option counts instead. */
    @Test
    void memoryAndGpusOfAJobAreThoseItsTasksNeedAtOnce() throws Exception {
        Resources needs = new Resources(1, 3L << 30, 2, 1);
        Request request = Request.of(2, 90_000).needing(needs);
        assertThat(SlurmScript.submission(script(), 7, request, 0, -1)).contains("--mem=3328M", "--gres=gpu:2");
        assertThat(SlurmScript.submission(script("--mem=0"), 7, request, 0, -1))
                .contains("--mem=0")
                .doesNotContain("--mem=3328M");
        assertThat(SlurmScript.submission(script(), 7, Request.of(2, 90_000), 0, -1))
                .noneMatch(word -> word.startsWith("--mem") || word.startsWith("--gres"));
        assertThat(SlurmScript.gpus(needs.named(NamedAmounts.of(Map.of("gpu:a100", 2L, "scratch", 5L)))))
                .isEqualTo("gpu:a100:2");
        assertThat(SlurmScript.gpus(needs.gpus(4).named(NamedAmounts.of(Map.of("gpu:a100", 2L, "gpu:v100", 1L)))))
                .isEqualTo("gpu:a100:3,gpu:v100:1");
    }

    @Test
    void aJobRecordsItsStartAndRunsOnce() throws Exception {
        assertThat(start("17", "0")).isZero();
        JobFolder jobFolder = JobFolder.of(run().resolve("slurm"), 7);
        JobFolder.Starter startedBy = jobFolder.starter();
        assertThat(startedBy).isNotNull();
        assertThat(startedBy)
                .extracting(JobFolder.Starter::job, JobFolder.Starter::restarts)
                .containsExactly(17L, 0);
        assertThat(jobFolder.isStarted() && jobFolder.isEnded()).isTrue();
        // The same job after it was requeued, and another one of the same pilot job.
        assertThat(start("17", "1")).isZero();
        assertThat(start("18", "0")).isZero();
        assertThat(folder.resolve("runs")).content().isEqualTo("17\n");
        assertThat(jobFolder.starter()).isEqualTo(startedBy);
    }

    @Test
    void aJobWhoseStartIsPreventedDoesNothing() throws Exception {
        JobFolder.of(run().resolve("slurm"), 7).preventStart();
        assertThat(start("17", "0")).isZero();
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    @Test
    void stepsOfAgentsOverlapWithThoseOfTasks() throws Exception {
        assertThat(SlurmScript.text(script(), 7, Request.of(2, 90_000)))
                .contains("srun --overlap --nodes=2 --ntasks=2 --ntasks-per-node=1 --cpus-per-task=4");
    }

    /** Agents report the name that Slurm has for their node; it may differ from the machine's. */
    @Test
    void agentsKnowTheNamesOfTheirNodes() throws Exception {
        assertThat(SlurmScript.text(script(), 7, Request.of(2, 90_000)))
                .containsSubsequence(
                        "agent=$(cat <<'AGENT'\n",
                        "\nexport SHEAF_NODE_NAME=$SLURMD_NODENAME\n",
                        "io.sheaf.agent.AgentMain",
                        "\nAGENT\n",
                        "srun ");
    }

    /**
     * Slurm replaces %j by the job's number and removes backslashes; in a name with a backslash it does not replace %j.
     */
    @Test
    void patternsInOutputNamesAreEscaped() {
        assertThat(SlurmScript.output(Path.of("/a b/é"))).isEqualTo("--output=/a b/é");
        assertThat(SlurmScript.output(Path.of("/100%j/%%"))).isEqualTo("--output=/100%%j/%%%%");
        assertThat(SlurmScript.output(Path.of("/b\\x/%j"))).isEqualTo("--output=/b\\\\x/%j");
    }
}
