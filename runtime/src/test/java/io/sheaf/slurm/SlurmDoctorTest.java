package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.testing.RecordedSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks of a cluster whose commands are scripts and whose node is this machine. */
@Timeout(60)
class SlurmDoctorTest {
    /** Runs the script at once, as sbatch does later. */
    private static final String RUNS_THE_SCRIPT =
            "cat >\"$(dirname \"$0\")/job\"; bash \"$(dirname \"$0\")/job\" >/dev/null 2>&1 & echo 42";

    @TempDir
    Path commands = Path.of("");

    @TempDir
    Path folder = Path.of("");

    private RecordedSlurm slurm() {
        return new RecordedSlurm(commands)
                .prints("squeue", "")
                .does("sinfo", "case $1 in --version) echo slurm 22.05.8;; *) cat \"$0.txt\";; esac")
                .does("scontrol", "case $1 in ping) echo 'Slurmctld(primary) at vm is UP';; esac")
                .does("scancel", "echo $1 >>\"$0.arguments\"");
    }

    private List<Finding> findings(RecordedSlurm slurm, long patience) throws IOException, InterruptedException {
        return findings(slurm, "up", patience);
    }

    private List<Finding> findings(RecordedSlurm slurm, String state, long patience)
            throws IOException, InterruptedException {
        Files.writeString(
                commands.resolve("sinfo.txt"),
                ("main*|" + state + "|infinite|idle|2|NO|(null)|n[1-8]\n").replace('|', '\u001f'));
        List<Finding> findings =
                new SlurmCommands(Reach.here(slurm.environment())).findings(List.of(), folder, patience);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
        return findings;
    }

    @Test
    void allFindingsOnAHealthyNodeAreGood() throws Exception {
        List<Finding> findings = findings(slurm().does("sbatch", RUNS_THE_SCRIPT), 30_000);
        assertThat(findings).allMatch(finding -> finding.grade() == Finding.Grade.GOOD, "is good");
        assertThat(findings.toString())
                .contains("slurm 22.05.8, answers in")
                .contains("main: 8 nodes, 0 allocated")
                .contains("subject=Java on ")
                .contains("version \"" + Runtime.version().feature())
                .contains("reaches ")
                .contains("a file written there is visible here after ")
                .contains("subject=clock on ");
    }

    @Test
    void aPartitionThatIsDownIsDoubtful() throws Exception {
        assertThat(findings(slurm(), "down", 0))
                .filteredOn(finding -> finding.grade() == Finding.Grade.DOUBTFUL)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.found()).startsWith("partition main is not up");
                    assertThat(finding.advice()).contains("another partition");
                });
    }

    @Test
    void aRefusedSubmissionIsBad() throws Exception {
        List<Finding> findings =
                findings(slurm().does("sbatch", "echo 'sbatch: error: Invalid account' >&2; exit 1"), 30_000);
        assertThat(findings).last().satisfies(finding -> {
            assertThat(finding.grade()).isEqualTo(Finding.Grade.BAD);
            assertThat(finding.found()).isEqualTo("sbatch: error: Invalid account");
            assertThat(finding.advice()).contains("--account");
        });
    }

    @Test
    void aJobThatDoesNotStartIsCancelled() throws Exception {
        RecordedSlurm slurm =
                slurm().does("sbatch", "echo 42").does("squeue", "[ $2 = -j ] && echo 'PENDING (Priority)'; true");
        List<Finding> findings = findings(slurm, 500);
        assertThat(findings).last().satisfies(finding -> {
            assertThat(finding.grade()).isEqualTo(Finding.Grade.DOUBTFUL);
            assertThat(finding.found()).contains("job 42 was PENDING (Priority)");
        });
        assertThat(Files.readString(commands.resolve("scancel.arguments"))).isEqualTo("42\n");
    }

    @Test
    void aMissingSlurmIsBad() throws Exception {
        List<Finding> findings = findings(slurm().does("scontrol", "echo 'Slurmctld(primary) at vm is DOWN'"), 500);
        assertThat(findings.get(0).grade()).isEqualTo(Finding.Grade.BAD);
        Files.delete(commands.resolve("sinfo"));
        assertThat(findings(new RecordedSlurm(commands), 0)).last().satisfies(finding -> {
            assertThat(finding.grade()).isEqualTo(Finding.Grade.BAD);
            assertThat(finding.subject()).isEqualTo("Slurm");
        });
    }
}
