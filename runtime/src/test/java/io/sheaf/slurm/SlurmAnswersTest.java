package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.QueueLine.Outlook;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.text.InputException;
import io.sheaf.workflow.NamedAmounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The driver parses recorded output of Slurm 22.05, so that no Slurm is needed. */
class SlurmAnswersTest {
    @TempDir
    Path folder = Path.of("");

    /** Writes scripts in place of the commands of Slurm. */
    private SlurmCommands commands(Map<String, String> scripts) throws IOException {
        for (Map.Entry<String, String> each : scripts.entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.writeString(file, "#!/bin/sh\n" + each.getValue() + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return new SlurmCommands(
                System.getenv(), SlurmCommands.runner(folder, Reach.here(System.getenv()), 10_000), "user");
    }

    @Test
    void squeueOutputIsParsed() {
        List<QueueLine> jobs = SlurmAnswers.queue("""
                12|PENDING|N/A|JobHeldUser
                11|PENDING|1794741517|Resources
                9_[1-4]|PENDING|N/A|PartitionTimeLimit
                10|COMPLETING|1794741500|None
                """);
        assertThat(jobs)
                .containsExactly(
                        new QueueLine(12, JobState.PENDING, -1, Outlook.HELD, "JobHeldUser"),
                        new QueueLine(11, JobState.PENDING, 1_794_741_517_000L, Outlook.STARTS, "Resources"),
                        new QueueLine(
                                9,
                                JobState.PENDING,
                                -1,
                                Outlook.NEVER,
                                "PartitionTimeLimit (longer than the partition allows)"),
                        new QueueLine(10, JobState.ENDING, 1_794_741_500_000L, Outlook.STARTS, "None"));
    }

    @Test
    void aQueueWithAnInvalidLineIsRefused() {
        assertThatThrownBy(() -> SlurmAnswers.queue("12|PENDING|N/A|None\nslurm_load_jobs error\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm_load_jobs error");
    }

    @Test
    void submissionsReturnNumbersOrRefusals() throws Exception {
        assertThat(submit("echo 17")).isEqualTo(BatchCommands.Submitted.as(17));
        assertThat(submit("echo 'notice from the site'; echo '18;tests'").job()).isEqualTo(18);
        assertThat(submit("echo welcome")).isEqualTo(BatchCommands.Submitted.as(BatchCommands.UNKNOWN));
        assertThat(submit("echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1"))
                .isEqualTo(BatchCommands.Submitted.refused("sbatch: error: QOSMaxSubmitJobPerUserLimit", true));
    }

    private BatchCommands.Submitted submit(String sbatch) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "");
        PilotJobScript run = new PilotJobScript(
                Launch.from(folder.resolve("kit")),
                new RunFolder(folder.resolve("run")),
                "00ff",
                1,
                folder.resolve("run/slurm"),
                List.of(),
                "",
                Pools.NONE,
                null);
        return commands(Map.of("sbatch", sbatch)).submit(run, script, 1, Request.of(1, 60_000), 0, -1);
    }

    @Test
    void refusalsForJobLimitsAreRecognized() {
        String policy =
                "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit,"
                        + " user's size and/or time limits)";
        assertThat(SlurmAnswers.isForLimits("sbatch: error: QOSMaxSubmitJobPerUserLimit; " + policy))
                .isTrue();
        assertThat(SlurmAnswers.isForLimits("sbatch: error: AssocMaxSubmitJobLimit; " + policy))
                .isTrue();
        assertThat(SlurmAnswers.isForLimits(policy)).isTrue();
        assertThat(SlurmAnswers.isForLimits("sbatch: error: QOSMaxWallDurationPerJobLimit; " + policy))
                .isFalse();
        assertThat(SlurmAnswers.isForLimits(
                        "sbatch: error: Batch job submission failed: Invalid account or account/partition combination"))
                .isFalse();
    }

    @Test
    void theStateOfAJobIsReadFromScontrolOrSacct() throws Exception {
        String shown = "echo 'JobId=4 JobName=x UserId=root(0) JobState=TIMEOUT Reason=TimeLimit Restarts=0'";
        assertThat(commands(Map.of("scontrol", shown)).state(4, () -> false)).isEqualTo(JobState.EXPIRED);
        String unknown = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";
        assertThat(commands(Map.of("scontrol", unknown, "sacct", "echo 'CANCELLED by 0'"))
                        .state(4, () -> false))
                .isEqualTo(JobState.CANCELLED);
        assertThat(commands(Map.of(
                                "scontrol",
                                unknown,
                                "sacct",
                                "echo 'Slurm accounting storage is disabled' >&2; exit 1"))
                        .state(4, () -> false))
                .isEqualTo(JobState.UNLISTED);
        SlurmCommands broken = commands(Map.of("scontrol", "echo 'something else' >&2; exit 1"));
        assertThatThrownBy(() -> broken.state(4, () -> false)).isInstanceOf(UnreachableException.class);
    }

    @Test
    void aJobIsFoundByNameOrComment() throws Exception {
        SlurmCommands commands = commands(Map.of(
                "squeue",
                "printf '3|PENDING|other|\\n4|RUNNING|renamed|sheaf-00ff.1\\n5|COMPLETED|sheaf-00ff.1|x\\n'"));
        List<BatchCommands.NamedJob> found = commands.find("sheaf-00ff.1");
        assertThat(found)
                .isEqualTo(List.of(
                        new BatchCommands.NamedJob(4, JobState.RUNNING),
                        new BatchCommands.NamedJob(5, JobState.ENDED)));
    }

    @Test
    void slurmStatesMapToJobStates() {
        assertThat(SlurmAnswers.state("TIMEOUT")).isEqualTo(JobState.EXPIRED);
        assertThat(SlurmAnswers.state("CANCELLED")).isEqualTo(JobState.CANCELLED);
        assertThat(SlurmAnswers.state("FAILED")).isEqualTo(JobState.ENDED);
        assertThat(SlurmAnswers.state("NODE_FAIL")).isEqualTo(JobState.LOST);
        assertThat(SlurmAnswers.state("COMPLETING").isFinal()).isFalse();
    }

    @Test
    void nodesOfAPartitionAreCounted() {
        List<String> lines =
                List.of("n1|4|4000|idle|main*", "n2|8|9000|mixed|main*", "n2|8|9000|mixed|big", "n3|2|500|down*|main*");
        assertThat(SlurmAnswers.nodes(lines, "")).isEqualTo(new Nodes(2, 4, 9000L << 20));
        assertThat(SlurmAnswers.nodes(lines, "big")).isEqualTo(new Nodes(1, 8, 9000L << 20));
        List<String> gpus = List.of(
                "n1|4|4000|idle|main*|gpu:a100:2(S:0-1),gpu:v100:1,nvme:3",
                "n2|4|4000|idle|main*|(null)",
                "n3|4|4000|idle|main*|gpu:2");
        assertThat(SlurmAnswers.nodes(gpus, ""))
                .isEqualTo(new Nodes(3, 4, 4000L << 20, 3, NamedAmounts.of(Map.of("gpu:a100", 2L, "gpu:v100", 1L))));
        assertThatThrownBy(() -> SlurmAnswers.nodes(lines, "gpu"))
                .hasMessage("there is no partition 'gpu'. Partitions: big, main. Name one with --partition");
        assertThatThrownBy(() -> SlurmAnswers.nodes(List.of("n3|2|500|down*|main*"), "main"))
                .hasMessageStartingWith("no node of partition 'main' is in service");
    }

    /** A job gets all its nodes from one partition: of three nodes on the left and six on the right, at most six. */
    @Test
    void ofSeveralPartitionsTheLargestCounts() {
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            lines.add("n" + i + "|4|9000|idle|" + (i <= 3 ? "left" : "right"));
        }
        lines.add("n3|4|9000|idle|right");
        assertThat(SlurmAnswers.nodes(lines, "left,right").count()).isEqualTo(6);
        assertThat(SlurmAnswers.nodes(lines, "left,left").count()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PriorityParameters      = (null) / PriorityType            = priority/basic | true",
                "PriorityType            = priority/multifactor / PriorityFlags           = | false",
                "PriorityFlags           = ACCRUE_ALWAYS,SMALL_RELATIVE_TO_TIME / PriorityType = priority/multifactor | true",
                "PriorityFlags           = CALCULATE_RUNNING / PriorityType            = priority/multifactor | false",
                "SlurmUser = root | false"
            })
    void theConfigDecidesWhetherDependentsKeepTheirPlace(String config, boolean keep) {
        assertThat(SlurmAnswers.dependentsKeepTheirPlace(config.replace(" / ", "\n")))
                .isEqualTo(keep);
    }
}
