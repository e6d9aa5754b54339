package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.agent.Launch;
import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.QueueLine.Outlook;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Slurm 22.05 printed, as the driver reads it; it stands in where no Slurm can be started. */
class RecordedAnswersTest {
    private static final SlurmQueue QUEUE = new SlurmQueue(SlurmCommands.of(null, Map.of(), 1_000), "user");

    @TempDir
    Path folder = Path.of("");

    /** A command that prints this, in place of the real one. */
    private SlurmControl control(Map<String, String> scripts) throws IOException {
        for (Map.Entry<String, String> each : scripts.entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.writeString(file, "#!/bin/sh\n" + each.getValue() + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        JobScript script = new JobScript(
                Launch.from(folder.resolve("kit")), new RunFolder(folder.resolve("run")), "00ff", 1, 0, List.of());
        return new SlurmControl(SlurmCommands.of(folder, System.getenv(), 10_000), "user", script);
    }

    @Test
    void theQueue() {
        List<QueueLine> jobs = QUEUE.parse("""
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
    void aQueueWithALineThatIsNoneIsRefused() {
        assertThatThrownBy(() -> QUEUE.parse("12|PENDING|N/A|None\nslurm_load_jobs error\n"))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm_load_jobs error");
    }

    @Test
    void theNumberOfASubmission() throws Exception {
        assertThat(submit("echo 17")).isEqualTo(BatchControl.Submitted.as(17));
        assertThat(submit("echo 'notice from the site'; echo '18;tests'").job()).isEqualTo(18);
        assertThat(submit("echo welcome")).isEqualTo(BatchControl.Submitted.as(BatchControl.UNKNOWN));
        assertThat(submit("echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1"))
                .isEqualTo(BatchControl.Submitted.refused("sbatch: error: QOSMaxSubmitJobPerUserLimit", true));
    }

    private BatchControl.Submitted submit(String sbatch) throws Exception {
        Path script = Files.writeString(folder.resolve("script"), "");
        return control(Map.of("sbatch", sbatch)).submit(script, 1, Request.of(1, 60_000), 0, -1);
    }

    @Test
    void refusals() {
        String policy =
                "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit,"
                        + " user's size and/or time limits)";
        assertThat(SlurmControl.isForLimits("sbatch: error: QOSMaxSubmitJobPerUserLimit; " + policy))
                .isTrue();
        assertThat(SlurmControl.isForLimits("sbatch: error: AssocMaxSubmitJobLimit; " + policy))
                .isTrue();
        assertThat(SlurmControl.isForLimits(policy)).isTrue();
        assertThat(SlurmControl.isForLimits("sbatch: error: QOSMaxWallDurationPerJobLimit; " + policy))
                .isFalse();
        assertThat(SlurmControl.isForLimits(
                        "sbatch: error: Batch job submission failed: Invalid account or account/partition combination"))
                .isFalse();
    }

    @Test
    void theStateOfAJob() throws Exception {
        String shown = "echo 'JobId=4 JobName=x UserId=root(0) JobState=TIMEOUT Reason=TimeLimit Restarts=0'";
        assertThat(control(Map.of("scontrol", shown)).state(4)).isEqualTo(JobState.EXPIRED);
        String unknown = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";
        assertThat(control(Map.of("scontrol", unknown, "sacct", "echo 'CANCELLED by 0'"))
                        .state(4))
                .isEqualTo(JobState.CANCELLED);
        assertThat(control(Map.of(
                                "scontrol",
                                unknown,
                                "sacct",
                                "echo 'Slurm accounting storage is disabled' >&2; exit 1"))
                        .state(4))
                .isEqualTo(JobState.GONE);
        SlurmControl broken = control(Map.of("scontrol", "echo 'something else' >&2; exit 1"));
        assertThatThrownBy(() -> broken.state(4)).isInstanceOf(AwayException.class);
    }

    @Test
    void aJobIsFoundByNameOrComment() throws Exception {
        SlurmControl control = control(Map.of(
                "squeue",
                "printf '3|PENDING|other|\\n4|RUNNING|renamed|sheaf-00ff.1\\n5|COMPLETED|sheaf-00ff.1|x\\n'"));
        List<BatchControl.Found> found = control.find(1);
        assertThat(found)
                .isEqualTo(List.of(
                        new BatchControl.Found(4, JobState.RUNNING), new BatchControl.Found(5, JobState.ENDED)));
    }

    @Test
    void howJobsEnd() {
        assertThat(SlurmState.of("TIMEOUT")).isEqualTo(JobState.EXPIRED);
        assertThat(SlurmState.of("CANCELLED")).isEqualTo(JobState.CANCELLED);
        assertThat(SlurmState.of("FAILED")).isEqualTo(JobState.ENDED);
        assertThat(SlurmState.of("NODE_FAIL")).isEqualTo(JobState.LOST);
        assertThat(SlurmState.of("COMPLETING").isFinal()).isFalse();
    }

    @Test
    void theNodesOfAPartition() {
        List<String> lines =
                List.of("n1|4|4000|idle|main*", "n2|8|9000|mixed|main*", "n2|8|9000|mixed|big", "n3|2|500|down*|main*");
        assertThat(Sinfo.parse(lines, "")).isEqualTo(new Nodes(2, 4, 9000L << 20));
        assertThat(Sinfo.parse(lines, "big")).isEqualTo(new Nodes(1, 8, 9000L << 20));
        assertThatThrownBy(() -> Sinfo.parse(lines, "gpu"))
                .hasMessage("there is no partition 'gpu'. Partitions: big, main. Name one with --partition");
        assertThatThrownBy(() -> Sinfo.parse(List.of("n3|2|500|down*|main*"), "main"))
                .hasMessageStartingWith("no node of partition 'main' is in service");
    }
}
