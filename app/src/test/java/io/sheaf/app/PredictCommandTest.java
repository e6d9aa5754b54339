package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.RecordedSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Start estimates on a cluster whose commands are scripts. */
@Timeout(60)
class PredictCommandTest {
    @TempDir
    Path folder = Path.of("");

    /**
     * 8 nodes of 2 cores. The job on 6 of them has passed its limit, so it is assumed to end in half a minute; a job of
     * 4 nodes × 10 min waits.
     */
    private RecordedSlurm slurm() {
        return new RecordedSlurm(folder)
                .prints("squeue", """
                        1|1|RUNNING|9|main|6|12|NO|1:00:00|1794740000|1794740400|None|(null)|(null)||(null)|you|n[1-6]|N/A|(null)|normal|a
                        2|2|PENDING|8|main|4|8|NO|10:00|1794740400|N/A|Resources|(null)|(null)||(null)|me||N/A|(null)|normal|b
                        """)
                .does("sinfo", "case \"$*\" in *-N*) cat \"$0.nodes\";; *) cat \"$0.txt\";; esac")
                .does(
                        "sbatch",
                        "echo \"$@\" >\"$0.told\"; echo 'sbatch: Job 9 to start at 9999999999 using 1 processors' >&2");
    }

    private Run predict(String... more) throws Exception {
        RecordedSlurm slurm = slurm();
        Files.writeString(folder.resolve("sinfo.nodes"), "n1|2|2000|idle|main*\n");
        Files.writeString(
                folder.resolve("sinfo.txt"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-6]\nmain*|up|infinite|idle|2|NO|(null)|n[7-8]\n"
                        .replace('|', '\u001f'));
        String[] args = new String[more.length + 3];
        args[0] = "predict";
        args[1] = "--on";
        args[2] = "slurm";
        System.arraycopy(more, 0, args, 3, more.length);
        return Run.in(folder, slurm.environment(), args);
    }

    @Test
    void allEstimatorsAreInOneTable() throws Exception {
        Run run = predict("--nodes", "2", "--time", "5m");
        assertThat(run.err()).contains("sheaf: note: scontrol show config");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("2 nodes × 5m in partition main, from now:\n")
                .containsPattern("(?m)^engine \\* +0 s ")
                .containsPattern("(?m)^test-only .* d ")
                .containsPattern("(?m)^mean-wait +unknown ")
                .contains("--probe queues one")
                .contains("8 nodes, 6 in use, 0 down or drained; 1 jobs queued before this one; 0.0 %");
        assertThat(Files.readString(folder.resolve("sbatch.told")))
                .isEqualTo("--test-only -N 2 -t 5 --ntasks-per-node=1 --cpus-per-task=2 --wrap true\n");
    }

    /** The cluster has 8 nodes, and earlier jobs without a wait do not change that. */
    @Test
    void aJobLargerThanTheClusterNeverStarts() throws Exception {
        Path starts = Files.createDirectories(folder.resolve("state/slurm/cluster"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(starts.resolve("sheaf-x_" + i + ".start"), "job sheaf-x." + i + " 0 8 60000 0\nend\n");
        }
        assertThat(predict("--nodes", "8", "--time", "5m").out()).containsPattern("(?m)^mean-wait \\*? +0 s ");
        assertThat(predict("--nodes", "9", "--time", "5m").out())
                .containsPattern("(?m)^engine \\*? +never .*a job may have at most 8 nodes$")
                .containsPattern("(?m)^corrected +never ")
                .containsPattern("(?m)^mean-wait +never ");
    }

    @Test
    void theJsonHasTheUsedEstimate() throws Exception {
        Run run = predict("--nodes", "5", "--time", "2h", "--json", "--partition", "main", "--", "--qos=long");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .containsPattern("\"waitSeconds\" : 63[0-9]\\.[0-9]{3}")
                .contains(
                        "\"used\" : \"engine\"",
                        "\"unmodelledShare\" : 0.0000",
                        "\"requestsBefore\" : 1",
                        "\"timeSeconds\" : 7200");
        assertThat(Files.readString(folder.resolve("sbatch.told"))).contains("--partition=main --qos=long");
    }

    @Test
    void invalidRequestsAreRefused() throws Exception {
        assertThat(predict("--nodes", "2", "--time", "5m", "--partition", "mein")
                        .status())
                .isEqualTo(3);
        assertThat(predict("--nodes", "0", "--time", "5m").status()).isEqualTo(2);
        assertThat(Run.of("predict", "--on", "moon", "--nodes", "1", "--time", "5m")
                        .status())
                .isEqualTo(2);
        Run unreachable =
                Run.in(folder, Map.of("PATH", "/nowhere"), "predict", "--on", "slurm", "--nodes", "1", "--time", "5m");
        assertThat(unreachable.status()).isEqualTo(4);
        assertThat(unreachable.err())
                .isEqualTo(
                        "sheaf: cannot reach the batch system: there is no sinfo in PATH. Run 'sheaf doctor' with the same --on to find the cause\n");
    }

    @Test
    void doctorReportsGoodAndBadResults() {
        Run run = Run.in(folder, new RecordedSlurm(folder).environment(), "doctor");
        assertThat(run.status()).isZero();
        assertThat(run.out()).containsPattern("(?m)^good +Java ");
        Run unreachable = Run.in(folder, Map.of("PATH", "/nowhere"), "doctor", "--on", "slurm", "--json");
        assertThat(unreachable.status()).isEqualTo(1);
        assertThat(unreachable.out()).contains("\"good\" : false", "there is no sinfo in PATH", "\"grade\" : \"bad\"");
        assertThat(Run.of("doctor", "--partition", "main").status()).isEqualTo(2);
        Run misspelt = Run.of("doctor", "--on", "gridengin");
        assertThat(misspelt.status()).isEqualTo(2);
        assertThat(misspelt.err()).contains("Did you mean 'gridengine'?", "local, slurm, gridengine");
    }
}
