package io.sheaf.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.testing.Await;
import io.sheaf.testing.Finished;
import io.sheaf.testing.RealSlurm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests savings on the accounting of a real Slurm: an array, dependent jobs, a requeued and a cancelled job. */
@Tag("slow")
class SavingsOnSlurmIT {
    private static final int TIMEOUT_SECONDS = 120;

    @TempDir
    Path folder = Path.of("");

    private Finished savings(RealSlurm slurm, String... options) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(slurm.environment());
        environment.put("SHEAF_CACHE", RealRun.CACHE.toString());
        environment.put("SHEAF_STATE", folder.resolve("state").toString());
        environment.put("SHEAF_SITE_CONFIG", "nowhere");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        List<String> line =
                new ArrayList<>(List.of(RealRun.BUILT.toString(), "savings", "--on", "slurm", "--since", "1d"));
        line.addAll(List.of(options));
        return Finished.run(folder, environment, TIMEOUT_SECONDS, line);
    }

    /** The accounting records of jobs in a state: job id and state. */
    private static List<String> jobs(RealSlurm slurm, String state) {
        return slurm.query("sacct", "-a", "-X", "-n", "-P", "-D", "-S", "now-1days", "-o", "JobID,State")
                .lines()
                .filter(line -> line.endsWith("|" + state))
                .toList();
    }

    @Test
    void campaignsAreFoundInTheAccountingOfARealSlurm() throws IOException, InterruptedException {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(2).withDatabase())) {
            Finished empty = savings(slurm);
            assertThat(empty.status()).isEqualTo(3);
            assertThat(empty.err()).contains("accounting of slurm: not enough data");
            String array = slurm.job(1, 2, "--array=1-4", "-J", "sweep");
            String sum = slurm.job(1, 2, "-J", "sum", "-d", "afterok:" + array);
            String twice = slurm.job(1, 15, "-J", "twice");
            String never = slurm.job(2, 2, "-J", "never", "--begin", "now+1hour");
            Await.until("the job to requeue runs", () -> !slurm.query("squeue", "-h", "-t", "R", "-j", twice)
                    .isBlank());
            slurm.query("scontrol", "requeue", twice);
            // Slurm delays a requeued job for two minutes, and sets that start time when the job has left its node. If
            // the job started in the second in which it was stopped, the node would refuse it ("Job credential
            // revoked").
            Await.until("the requeued job is queued", () -> !slurm.query("squeue", "-h", "-t", "PD", "-j", twice)
                    .isBlank());
            slurm.query("scontrol", "update", "JobId=" + twice, "StartTime=now+5");
            slurm.query("scancel", never);
            Await.until(
                    () -> "six jobs have ended: " + jobs(slurm, "COMPLETED"),
                    () -> jobs(slurm, "COMPLETED").size() == 6);
            assertThat(jobs(slurm, "REQUEUED")).containsExactly(twice + "|REQUEUED");
            assertThat(jobs(slurm, "COMPLETED")).contains(sum + "|COMPLETED", array + "_4|COMPLETED");
            Finished found = savings(slurm, "--strategies", "onejob", "--json");
            assertThat(found.status()).as(found.err()).isZero();
            assertThat(found.out())
                    .contains("\"log\" : \"accounting of slurm\"", "\"jobs\" : 6,", "\"campaignsFound\" : 1,")
                    .contains("not enough data");
        }
    }
}
