package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.StartQuery;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.RecordedSlurm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(1200)
class SlurmWhatIfTest {
    private static final String BUSY = "echo 'error: Unable to contact slurm controller' >&2; exit 1";

    @TempDir
    Path folder = Path.of("");

    /** A probe of 2 s at a controller that needs a second for each answer: one query is within its time, and there is no answer to scancel. */
    @Test
    void aProbeEndsInItsTime() throws Exception {
        RecordedSlurm slurm = new RecordedSlurm(folder)
                .prints("squeue", "")
                .prints("sinfo", Texts.EIGHT.replace("mixed", "idle"))
                .does("sbatch", "case \"$*\" in *--parsable*) echo 7 ;; *) exit 1 ;; esac")
                .does(
                        "scontrol",
                        "case \"$*\" in *'show job'*) sleep 1; echo x >>'" + folder + "/queried' ;; *) exit 1 ;; esac")
                .does("scancel", BUSY);
        CommandRunner commands =
                SlurmCommands.runner(folder, Reach.here(slurm.environment()), CommandRunner.LIMIT_MILLIS);
        SlurmWhatIf whatIf =
                new SlurmWhatIf(commands, "me", folder.resolve("learnt"), Submissions.of(List.of(), Map.of(), 0));
        WhatIf.Answers answers = whatIf.estimate(StartQuery.of(Texts.AT, 0, 1, 60_000), 2_000);
        assertThat(folder.resolve("queried")).hasContent("x");
        assertThat(answers.answers()).anySatisfy(answer -> {
            assertThat(answer.estimator()).isEqualTo(SlurmEstimators.PLANNED);
            assertThat(answer.start()).isEqualTo(WhatIf.UNKNOWN);
            assertThat(answer.why()).contains("run: scancel 7");
        });
    }
}
