package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whole workflows on a Slurm that is configured like a busy site's: priorities, partitions that overlap, limits, hidden information. */
@Tag("slow")
class UnkindSlurmIT {
    @TempDir
    static Path agentFiles = Path.of("");

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(
            RealSlurm.SlurmShape.of(4)
                    .withDatabase()
                    .conf(
                            "PriorityType=priority/multifactor",
                            "PriorityWeightAge=1000",
                            "PriorityWeightFairshare=1000",
                            "PriorityWeightJobSize=100",
                            "PrivateData=jobs",
                            "SchedulerParameters=bf_interval=30",
                            "MinJobAge=10",
                            "PartitionName=short Nodes=n[1-3] Default=YES MaxTime=60 PriorityTier=2 State=UP",
                            "PartitionName=long Nodes=n[2-4] MaxTime=INFINITE State=UP"),
            made -> made.query(
                    "sacctmgr", "-i", "modify", "qos", "normal", "set", "MaxSubmitJobsPerUser=4", "MaxJobsPerUser=3"));

    @TempDir
    Path folder = Path.of("");

    private static RealSlurm slurm() {
        return SLURM.get();
    }

    /**
     * Jobs for twelve tasks are requested at once, but four jobs are allowed, one of which is queued already. The other
     * nine tasks share three jobs.
     */
    @Test
    void jobsOverALimitAreDelayed() throws Exception {
        slurm().job(1, 8, "-p", "long");
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 12, "4");
        assertThat(runs.await(runs.start("onejobpertask", 16))).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
        assertThat(runs.messages())
                .filteredOn(output -> output.startsWith("Slurm accepts no more jobs now (sbatch: error: QOSMax"))
                .as("the limit is reported once")
                .hasSize(1);
        assertThat(runs.events())
                .filteredOn(event -> event instanceof Event.Accepted)
                .as("jobs for 14 tasks")
                .hasSizeLessThan(13);
    }

    @Test
    void aRunCompletesWithoutTheDatabase() throws Exception {
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 4, "1");
        var ending = runs.start("levelbylevel", 16, "--partition=long");
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        slurm().stopDatabase();
        try {
            assertThat(runs.await(ending)).isEqualTo(RunLoop.Ending.ENDED);
        } finally {
            slurm().startDatabase();
        }
        runs.assertDone();
    }

    /** The default partition allows an hour; Slurm would keep a longer job in the queue. */
    @Test
    void aJobThatWouldNeverStartIsRefused() throws Exception {
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 2, "0.2");
        var ending = runs.start("onejob", 16, "--time=120");
        // Slurm's reason is PartitionTimeLimit or, before a full check, PartitionConfig.
        runs.until("the job is refused", () -> runs.events().stream().anyMatch(event -> event.toString()
                .matches(".*Slurm would never start it: Partition(TimeLimit|Config).*")));
        runs.run().interrupt();
        assertThat(runs.await(ending)).isEqualTo(RunLoop.Ending.INTERRUPTED);
        runs.assertNothingIsLeft();
    }
}
