package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Elastic requests on a real Slurm of two nodes, one of which another job has: a pilot job starts at once with fewer
 * nodes or less time than it requests.
 */
@Tag("slow")
class ElasticIT {
    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(2));

    @TempDir
    Path folder = Path.of("");

    @AfterEach
    void cancelJobs() throws InterruptedException {
        SLURM.get().query("scancel", "--user=root");
        Await.until("no job remains", () -> SLURM.get().query("squeue", "-h").isEmpty());
    }

    private RealRun run(String time, String... options) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("workflow.yaml"), """
                name: elastic
                tasks:
                  part:
                    foreach: {i: 1..6}
                    time: %s
                    run: 'sleep 1; echo {i} >> done'
                """.formatted(time));
        RealRun run = new RealRun(folder, SLURM.get().environment());
        assertThat(run.await(run.start(options))).as(run.errorOutput()).isZero();
        assertThat(run.lines("done")).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6");
        return run;
    }

    @Test
    void aJobStartsOnTheFreeNodes() throws IOException, InterruptedException {
        String other = SLURM.get().job(1, 600);
        RealRun run = run("1s", "--on", "slurm", "--strategy", "giant", "--min-nodes", "1");
        assertThat(run.errorOutput())
                .contains("pilot job 1: 2 nodes", "pilot job 1 was granted 1 node × ")
                .doesNotContain("lost");
        assertThat(SLURM.get().query("squeue", "-h", "-j", other, "-o", "%T")).isEqualTo("RUNNING");
    }

    /** Both nodes are reserved from minute four on, for a second job that waits for the first. */
    @Test
    void aJobStartsWithAShorterWalltime() throws IOException, InterruptedException {
        RealSlurm slurm = SLURM.get();
        slurm.query("sbatch", "--parsable", "-N1", "-t4", "-o", "/dev/null", "--wrap", "sleep 600");
        String second = slurm.query("sbatch", "--parsable", "-N2", "-t10", "-o", "/dev/null", "--wrap", "sleep 600");
        RealRun run = run("2m", "--on", "slurm", "--strategy", "giant", "--nodes", "1", "--time-min", "1m");
        assertThat(run.errorOutput()).containsPattern("pilot job 1 was granted 1 node × [1-4]\\.[0-9] min");
        assertThat(slurm.query("squeue", "-h", "-j", second, "-o", "%T")).isEqualTo("PENDING");
    }
}
