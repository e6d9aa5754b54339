package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sheaf.manager.Event;
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
    @TempDir
    Path folder = Path.of("");

    /** A command that prints this, in place of the real one. */
    private SlurmControl control(Map<String, String> scripts) throws IOException {
        for (Map.Entry<String, String> each : scripts.entrySet()) {
            Path file = folder.resolve(each.getKey());
            Files.writeString(file, "#!/bin/sh\n" + each.getValue() + "\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return new SlurmControl(new SlurmCommands(folder, System.getenv(), 10_000), "user");
    }

    @Test
    void theQueue() {
        List<QueueLine> jobs = QueueLine.parse(List.of(
                "12|PENDING|4|N/A|JobHeldUser|sheaf-00ff.3",
                "11|PENDING|2|1794741517|Resources|a|b c",
                "9_[1-4]|PENDING|1|N/A|Priority|array",
                "10|COMPLETING|1|1794741500|None|wrap"));
        assertThat(jobs.get(0)).isEqualTo(new QueueLine(12, "PENDING", 4, -1, "JobHeldUser", "sheaf-00ff.3"));
        assertThat(jobs.get(1)).isEqualTo(new QueueLine(11, "PENDING", 2, 1_794_741_517_000L, "Resources", "a|b c"));
        assertThat(jobs.get(2).job()).isEqualTo(9);
        assertThat(jobs.get(3).isPending()).isFalse();
    }

    @Test
    void aQueueWithALineThatIsNoneIsRefused() {
        assertThatThrownBy(() -> QueueLine.parse(List.of("12|PENDING|4|N/A|None|x", "slurm_load_jobs error")))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("slurm_load_jobs error");
    }

    @Test
    void theNumberOfASubmission() throws Exception {
        Marks marks = new Marks(folder.resolve("marks"));
        List<String> words = List.of("sbatch", "--parsable");
        assertThat(control(Map.of("sbatch", "echo 17")).submit(marks, "script", words))
                .isEqualTo(new SlurmControl.Submitted(17, ""));
        assertThat(control(Map.of("sbatch", "echo 'notice from the site'; echo '18;tests'"))
                        .submit(marks, "script", words)
                        .job())
                .isEqualTo(18);
        assertThat(control(Map.of("sbatch", "echo welcome")).submit(marks, "script", words))
                .isEqualTo(new SlurmControl.Submitted(SlurmJob.UNKNOWN, ""));
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
        assertThat(control(Map.of("scontrol", shown)).state(4)).isEqualTo("TIMEOUT");
        String unknown = "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1";
        assertThat(control(Map.of("scontrol", unknown, "sacct", "echo 'CANCELLED by 0'"))
                        .state(4))
                .isEqualTo("CANCELLED");
        assertThat(control(Map.of(
                                "scontrol",
                                unknown,
                                "sacct",
                                "echo 'Slurm accounting storage is disabled' >&2; exit 1"))
                        .state(4))
                .isEqualTo(SlurmControl.GONE);
        SlurmControl broken = control(Map.of("scontrol", "echo 'something else' >&2; exit 1"));
        assertThatThrownBy(() -> broken.state(4)).isInstanceOf(SlurmAwayException.class);
    }

    @Test
    void aJobIsFoundByNameOrComment() throws Exception {
        SlurmControl control = control(Map.of(
                "squeue",
                "printf '3|PENDING|other|\\n4|RUNNING|renamed|sheaf-00ff.1\\n5|COMPLETED|sheaf-00ff.1|x\\n'"));
        List<SlurmControl.Found> found = control.find("sheaf-00ff.1");
        assertThat(found)
                .isEqualTo(List.of(new SlurmControl.Found(4, "RUNNING"), new SlurmControl.Found(5, "COMPLETED")));
        assertThat(SlurmControl.likeliest(found).job()).isEqualTo(4);
    }

    @Test
    void howJobsEnd() {
        assertThat(JobState.end("TIMEOUT")).isEqualTo(Event.End.EXPIRED);
        assertThat(JobState.end("CANCELLED")).isEqualTo(Event.End.WITHDRAWN);
        assertThat(JobState.end("FAILED")).isEqualTo(Event.End.BROKEN);
        assertThat(JobState.end("NODE_FAIL")).isEqualTo(Event.End.LOST);
        assertThat(JobState.isSure("NODE_FAIL")).isFalse();
        assertThat(JobState.isFinal("COMPLETING")).isFalse();
    }

    @Test
    void theNodesOfAPartition() {
        List<String> lines =
                List.of("n1|4|4000|idle|main*", "n2|8|9000|mixed|main*", "n2|8|9000|mixed|big", "n3|2|500|down*|main*");
        assertThat(Nodes.parse(lines, "")).isEqualTo(new Nodes(2, 4, 9000L << 20));
        assertThat(Nodes.parse(lines, "big")).isEqualTo(new Nodes(1, 8, 9000L << 20));
        assertThatThrownBy(() -> Nodes.parse(lines, "gpu")).hasMessageContaining("Partitions: big, main");
    }

    @Test
    void wordsOfAShell() {
        assertThat(ShellWord.quoted("/a/b-c.d")).isEqualTo("/a/b-c.d");
        assertThat(ShellWord.quoted("it's $HOME\n")).isEqualTo("'it'\\''s $HOME\n'");
        assertThat(ShellWord.quoted("")).isEqualTo("''");
    }
}
