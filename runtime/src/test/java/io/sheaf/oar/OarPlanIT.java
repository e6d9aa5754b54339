package io.sheaf.oar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.SnapshotForecast;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealOar;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Estimated starts of jobs match the plan of a real OAR. */
@Tag("slow")
class OarPlanIT {
    @TempDir
    Path folder = Path.of("");

    @Test
    void aJobIsPlannedAsEstimated() throws Exception {
        try (RealOar oar = RealOar.start(4, 1, "SCHEDULER_JOB_SECURITY_TIME=\"60\"")) {
            oar.job(3, 600);
            await(oar, "Running", 1);
            oar.job(4, 300);
            oar.job(2, 900);
            await(oar, "scheduledStart = 2", 3);
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(oar.environment());
            SnapshotForecast estimator = new SnapshotForecast(
                    new OarCommands(Reach.here(environment)).source(1, name -> BatchCommands.token("r", name)),
                    folder.resolve("answer"),
                    1_000);
            long now = System.currentTimeMillis();
            // One node for ten minutes fits beside the first job, but not two.
            int[] units = {1, 2, 4};
            long[] walltime = {300_000, 300_000, 60_000};
            StartTimes estimated = estimator.estimate(StartQuery.of(now, 0, units[0], walltime[0])
                    .add(0, units[1], walltime[1])
                    .add(0, units[2], walltime[2]));
            assertThat(estimated.job(0)).isEqualTo(now);
            for (int i = 1; i < 3; i++) {
                long planned = planned(oar, units[i], OarScript.limit(walltime[i]) / 1000);
                assertThat(estimated.job(i) / 1000.0).as("start of job " + i).isBetween(planned - 15.0, planned + 15.0);
            }
        }
    }

    /** Submits a job, returns the start that OAR plans for it, in seconds, and deletes the job. */
    private static long planned(RealOar oar, int nodes, long seconds) throws InterruptedException {
        String output = oar.query(
                "oarsub", "--directory=/", "--resource=/nodes=" + nodes + ",walltime=0:00:" + seconds, "sleep 1");
        String job = output.substring(output.indexOf("OAR_JOB_ID=") + "OAR_JOB_ID=".length())
                .strip();
        return Await.found(() -> "a plan for job " + job, () -> {
            OarJson shown = OarJson.parse("oarstat", oar.query("oarstat", "-J", "-f", "-j", job))
                    .object(job);
            if (shown.number("scheduledStart") > 0) {
                oar.query("oardel", job);
                return shown.number("scheduledStart");
            }
            return null;
        });
    }

    private static void await(RealOar oar, String word, int times) throws InterruptedException {
        Await.until(
                times + " jobs with " + word, () -> oar.query("oarstat", "-f").split(word, -1).length > times);
    }
}
