package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.RequestCorrection;
import io.sheaf.runtime.learnt.SharedEnds;
import io.sheaf.slurm.SlurmCommands;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedJobsTest {
    private static final Where MAIN = new Where("main", Set.of(), Where.LAST, "");
    private static final String EIGHT = "main*|up|infinite|mixed|2|NO|(null)|n[1-8]\n";

    @TempDir
    Path folder = Path.of("");

    private EndedJobs ended() {
        return new EndedJobs(SlurmCommands.of(folder, Map.of(), 1_000), folder);
    }

    private static Snapshot later(Snapshot seen, long millis) {
        return new Snapshot(
                seen.at() + millis,
                seen.user(),
                seen.jobs(),
                seen.nodes(),
                seen.reservations(),
                seen.tiers(),
                seen.config(),
                seen.limits(),
                seen.lost(),
                seen.problems());
    }

    @Test
    void linesOfSacctTellWhatWasUsed() {
        RequestCorrection correction = new RequestCorrection();
        String rows = "ann|4|60|1800|COMPLETED\nann|4|60|3600|TIMEOUT\nann|4|60|900|CANCELLED by 7\n"
                + "ann|4|60|100|RUNNING\nann|0|60|0|CANCELLED\nbob|1|UNLIMITED|5|FAILED\n\nhalf a li";
        assertThat(EndedJobs.read(rows, correction)).isEqualTo(3);
        assertThat(correction.parts(SharedEnds.number("ann"), 4, 3_600_000, 0)).containsExactly(0.25, 0.5, 1);
    }

    @Test
    void jobsThatAreGoneHaveEndedAndOthersOfTheirKindAreTakenToDoSo() throws InterruptedException {
        StringBuilder queue = new StringBuilder();
        for (int i = 1; i <= 25; i++) {
            queue.append(Texts.running(i, "n[1-8]", 3_200));
        }
        Snapshot full = Texts.snapshot(queue.toString(), EIGHT);
        EndedJobs ended = ended();
        ended.learn(full);
        assertThat(ended.count()).isZero();
        assertThat(CorrectedOracle.starts(full, MAIN, ended, Texts.AT, 8, 60_000, 11))
                .as("nothing is known")
                .isNull();
        // They had run for 400 s of their hour, and are gone 200 s later.
        ended.learn(later(Texts.snapshot("", EIGHT), 200_000));
        EndedJobs another = ended();
        Snapshot seen = Texts.snapshot(Texts.running(99, "n[1-8]", 3_200), EIGHT);
        another.learn(seen);
        assertThat(another.count()).as("one process learns from the other").isEqualTo(25);
        assertThat(another.basis()).isEqualTo("25 jobs that were seen to end");
        long[] starts = Objects.requireNonNull(CorrectedOracle.starts(seen, MAIN, another, Texts.AT, 8, 60_000, 101));
        assertThat(starts[50]).as("a sixth of its hour, and not all of it").isEqualTo(Texts.AT + 200_000);
        WhatIf.Interval interval = WhatIf.Interval.of(starts, another.basis());
        assertThat(List.of(interval.low90(), interval.low50(), interval.median(), interval.high50(), interval.high90()))
                .isSorted();
        assertThat(interval.high90()).isLessThanOrEqualTo(Texts.AT + 3_200_000);
        assertThat(Texts.start(seen, MAIN, 8, 1)).isEqualTo(3_200);
    }
}
