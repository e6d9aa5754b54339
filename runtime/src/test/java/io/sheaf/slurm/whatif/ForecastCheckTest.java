package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.RecordedSlurm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForecastCheckTest {
    @TempDir
    Path folder = Path.of("");

    /** A job has left the queue while slurmdbd was down; its start is known when it is up again. */
    @Test
    void withoutAccountingAJobStaysOpen() throws Exception {
        RecordedSlurm slurm =
                new RecordedSlurm(folder).does("sacct", "echo 'sacct: error: Connection refused' >&2; exit 1");
        CommandRunner commands =
                SlurmCommands.runner(folder, Reach.here(slurm.environment()), CommandRunner.LIMIT_MILLIS);
        ForecastCheck check = new ForecastCheck(commands, folder.resolve("learnt"), "");
        SlurmSnapshot queued = Texts.snapshot(
                Texts.running(1, "n[1-8]", 300) + Texts.waiting(2, 8, "10:00", "Resources", "(null)"), Texts.EIGHT);
        assertThat(check.observe(queued).added()).isEqualTo(1);
        SlurmSnapshot empty = Texts.snapshot("", Texts.EIGHT);
        assertThat(check.observe(empty).open()).isEqualTo(1);
        slurm.does("sacct", "echo " + (Texts.AT / 1000 + 300));
        WhatIf.Evaluation evaluation = check.observe(empty);
        assertThat(evaluation.open()).isZero();
        assertThat(evaluation.started())
                .singleElement()
                .extracting(WhatIf.EvaluatedJob::waited)
                .isEqualTo(300_000L);
    }
}
