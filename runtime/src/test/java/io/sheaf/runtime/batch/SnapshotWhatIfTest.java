package io.sheaf.runtime.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.predict.StartQuery;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The estimates of {@code predict} and of a run for the same job, on two nodes: one is in use for 200 s, then a queued job has both for 300 s. On
 * one node, a job of at most 200 s starts at once by the plan, a longer one after 500 s.
 */
class SnapshotWhatIfTest {
    private static final long NOW = 1_000_000;
    private static final long MEMORY = 4L << 30;

    @TempDir
    Path folder = Path.of("");

    /** A queue of a batch system that starts whatever fits, with or without requests for memory. */
    private record TwoNodes(boolean requestsMemory) implements SnapshotForecast.SnapshotSource {
        @Override
        public String print(long now) {
            return "";
        }

        @Override
        public SnapshotForecast.SnapshotQueue parse(String text, long now) {
            QueueSnapshot snapshot = new QueueSnapshot(
                    now,
                    new QueueSnapshot.Capacity(2, Policy.easy()),
                    List.of(
                            QueueSnapshot.Job.of("1", 1, 200_000, now),
                            QueueSnapshot.Job.of("2", 2, 300_000, QueueSnapshot.QUEUED)),
                    List.of());
            return new SnapshotForecast.SnapshotQueue(snapshot, true);
        }

        @Override
        public String place() {
            return "all";
        }

        @Override
        public long occupied(long walltime) {
            return walltime;
        }

        @Override
        public long memory(long ofTasks) {
            return requestsMemory ? ofTasks : 0;
        }
    }

    /** Checks that both estimate a wait. */
    private void assertWait(boolean requestsMemory, long walltime, long memory, long wait) throws Exception {
        TwoNodes source = new TwoNodes(requestsMemory);
        WhatIf whatIf = new SnapshotWhatIf(source, "test");
        StartQuery job = StartQuery.of(NOW, 0, 1, walltime).needing(memory);
        assertThat(whatIf.estimate(job, 0).answers().get(0).start()).isEqualTo(NOW + wait);
        try (SnapshotForecast forecast = new SnapshotForecast(source, folder.resolve("answer"), 1_000)) {
            assertThat(forecast.estimate(job).job(0)).isEqualTo(NOW + wait);
        }
    }

    @Test
    void aJobThatRequestsNoMemoryStartsOnIdleNodes() throws Exception {
        assertWait(true, 600_000, 0, 0);
        assertWait(false, 600_000, 0, 0);
        assertWait(false, 600_000, MEMORY, 0);
    }

    @Test
    void aJobThatRequestsMemoryIsPlanned() throws Exception {
        assertWait(true, 200_000, MEMORY, 0);
        assertWait(true, 600_000, MEMORY, 500_000);
    }
}
