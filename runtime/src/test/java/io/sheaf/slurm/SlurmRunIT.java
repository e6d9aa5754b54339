package io.sheaf.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.TestSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Whole workflows on a real Slurm, beside other users' jobs. */
class SlurmRunIT {
    @TempDir
    static Path agentFiles = Path.of("");

    @RegisterExtension
    static final TestSlurm SLURM = TestSlurm.of(RealSlurm.SlurmShape.of(4));

    @TempDir
    Path folder = Path.of("");

    private static RealSlurm slurm() {
        return SLURM.get();
    }

    @Test
    void aWorkflowWaitsInTheQueueAndCompletes() throws Exception {
        slurm().job(4, 3);
        slurm().job(2, 2);
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 6, "0.2");
        assertThat(runs.await(runs.start("glume", 16))).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
        Path script = folder.resolve("run/slurm/1/script");
        assertThat(script).content().startsWith("#!/bin/bash\n# A pilot job of Sheaf. Submitted by: sbatch --parsable");
        assertThat(runs.events())
                .anyMatch(event -> event instanceof Event.Started started && started.at() >= run(runs) + 1_500);
    }

    /**
     * 92 tasks have an expected time of 2 s, and 90 of them run in parallel on 4 nodes: 50 s and a tenth more fit into
     * a minute, but not with the reserve of 13 s.
     */
    @Test
    void theReserveIsRequestedInAddition() throws Exception {
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 90, "0.01");
        assertThat(runs.await(runs.start("onejob", 16))).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
        assertThat(folder.resolve("run/slurm/1/script")).content().contains(" --nodes=4 ", " --time=2 ");
        assertThat(folder.resolve("run/slurm/2")).doesNotExist();
    }

    private static long run(SlurmRuns runs) {
        return runs.run().begunAt();
    }

    @Test
    void aLostReplyIsNotSubmittedTwice() throws Exception {
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 3, "0.2");
        runs.wrap(
                "sbatch",
                "echo x >> submitted",
                "[ $(wc -l < submitted) -gt 1 ] && exec $REAL \"$@\"",
                "$REAL \"$@\" > reply",
                "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1");
        assertThat(runs.await(runs.start("onejob", 16))).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
        assertThat(Files.readAllLines(folder.resolve("submitted"))).hasSize(1);
        assertThat(runs.messages()).anyMatch(output -> output.contains("Slurm does not answer (sbatch:"));
    }

    @Test
    void anInterruptedRunContinues() throws Exception {
        SlurmRuns runs = new SlurmRuns(slurm(), folder, agentFiles, 4, "1");
        var ending = runs.start("levelbylevel", 16);
        runs.until("the first task is done", () -> !runs.lines().isEmpty());
        runs.run().interrupt();
        assertThat(runs.await(ending)).isEqualTo(RunLoop.Ending.INTERRUPTED);
        assertThat(runs.await(runs.start("levelbylevel", 16))).isEqualTo(RunLoop.Ending.ENDED);
        runs.assertDone();
    }
}
