package io.sheaf.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import org.junit.jupiter.api.Test;

/** Tests the replay of a small log on two nodes, whose results are worked out by hand. Times are in milliseconds. */
class ReplayTest {
    /**
     * A (2 × 10 s) runs 20 s: killed at 10. B (1 × 5 s) has run time 0: it starts and ends at 10, so C (2 × 5 s),
     * predicted for 15, starts at 10, too. D is cancelled at 8, E is too large.
     */
    private static final JobLog LOG = JobLog.builder()
            .add(1, 0, 20_000, 10_000, 2, 0)
            .add(2, 1_000, 0, 5_000, 1, 0)
            .add(3, 2_000, 4_000, 5_000, 2, 0)
            .add(4, 3_000, 5_000, 5_000, 2, 0, 5_000)
            .add(5, 3_000, 5_000, 5_000, 3, 0)
            .build();

    @Test
    void aReplayHandlesKillsCancellationsAndRefusals() {
        ReplayResult replayed = Replay.run(LOG, new BatchEngine(Policy.conservative(), 2));
        assertThat(replayed.outcome(0)).isEqualTo(JobOutcome.KILLED);
        assertThat(replayed.end(0)).isEqualTo(10_000);
        assertThat(replayed.start(1)).isEqualTo(10_000);
        assertThat(replayed.end(1)).isEqualTo(10_000);
        assertThat(replayed.start(2)).isEqualTo(10_000);
        assertThat(replayed.end(2)).isEqualTo(14_000);
        assertThat(replayed.outcome(3)).isEqualTo(JobOutcome.CANCELLED);
        assertThat(replayed.start(3)).isEqualTo(ReplayResult.NEVER);
        assertThat(replayed.outcome(4)).isEqualTo(JobOutcome.REFUSED);
        assertThat(replayed.count(JobOutcome.COMPLETED)).isEqualTo(2);
        // 5 arrivals, 3 starts, 3 ends, 1 cancellation
        assertThat(replayed.events()).isEqualTo(12);
    }

    /** Waits 0, 9 and 8 s; slowdowns (0 + 10) / 10, (9 + 0) / 10 → 1, (8 + 4) / 10; 20 + 0 + 8 node-seconds of 2 × 14. */
    @Test
    void figuresMatchTheirDefinitions() {
        ReplayResult.Figures figures = Replay.run(LOG, new BatchEngine(Policy.conservative(), 2))
                .figures(2, Long.MIN_VALUE, ReplayResult.NEVER);
        assertThat(figures.jobs()).isEqualTo(3);
        assertThat(figures.meanWait()).isEqualTo(17_000 / 3.0);
        assertThat(figures.medianWait()).isEqualTo(8_000);
        assertThat(figures.p95Wait()).isEqualTo(9_000);
        assertThat(figures.meanBoundedSlowdown()).isEqualTo((1 + 1 + 1.2) / 3);
        assertThat(figures.utilization()).isEqualTo(1.0);
        assertThat(figures.makespan()).isEqualTo(14_000);
    }
}
