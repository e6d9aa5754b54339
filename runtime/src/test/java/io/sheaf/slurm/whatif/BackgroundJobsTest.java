package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.QueueSnapshot.Job;
import io.sheaf.runtime.past.QueueSnapshots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackgroundJobsTest {
    private static final String EIGHT = "main*|up|infinite|idle|4|NO|(null)|n[1-8]\n";
    private static final Submissions ALIKE = Submissions.of(List.of(), Map.of(), 0);

    @TempDir
    Path run = Path.of("");

    /** Whole nodes; an own job and a held one do not count; waiting jobs are in the order of their priorities. */
    @Test
    void backgroundJobsAreCountedInNodes() {
        String ours = Texts.running(11, "n[1-2]", 600).replace("|job\n", "|sheaf-r.1\n");
        String held = Texts.waiting(15, 1, "5:00", "JobHeldUser", "(null)");
        SlurmSnapshot snapshot = Texts.snapshot(
                ours
                        + Texts.running(12, "n[3-5]", 900)
                        + Texts.waiting(14, 8, "1:00:00", "Priority", "(null)")
                        + Texts.waiting(13, 2, "30:00", "Resources", "(null)")
                        + held,
                EIGHT);
        QueueSnapshot queue = BackgroundJobs.of(snapshot, ALIKE, "sheaf-r.");
        assertThat(queue.capacity().units()).isEqualTo(8);
        assertThat(queue.capacity().policy().depth()).isEqualTo(500);
        assertThat(queue.jobs())
                .containsExactly(
                        Job.of("13", 2, 1_800_000, QueueSnapshot.QUEUED),
                        Job.of("14", 8, 3_600_000, QueueSnapshot.QUEUED),
                        Job.of("12", 3, 3_600_000, 1_794_740_000_000L));
    }

    /** 400 jobs of one core, four of which fit on a node: about a hundred of them count, always the same ones. */
    @Test
    void jobsThatShareNodesCountByTheirShare() {
        StringBuilder lines = new StringBuilder();
        for (int id = 100; id < 500; id++) {
            lines.append(Texts.waiting(id, 1, "30:00", "Priority", "(null)").replace("|1|1|NO|", "|1|1|OK|"));
        }
        QueueSnapshot queue = BackgroundJobs.of(Texts.snapshot(lines.toString(), EIGHT), ALIKE, "sheaf-r.");
        assertThat(queue.jobs()).hasSizeBetween(80, 120);
        assertThat(queue.capacity().policy().depth())
                .as("a plan of hundreds would take too long")
                .isEqualTo(500);
        assertThat(BackgroundJobs.of(Texts.snapshot(lines.toString(), EIGHT), ALIKE, "sheaf-r."))
                .isEqualTo(queue);
    }

    @Test
    void snapshotsAreStoredInTheRunFolder() throws IOException {
        try (QueueSnapshots stored = new QueueSnapshots(run)) {
            BackgroundJobs.store(Texts.snapshot(Texts.running(12, "n[3-5]", 900), EIGHT), ALIKE, "sheaf-r.", stored);
            BackgroundJobs.store(
                    Texts.snapshot("", "main*|down|infinite|down|4|NO|(null)|n[1-8]\n"), ALIKE, "sheaf-r.", stored);
        }
        assertThat(QueueSnapshots.read(run)).hasSize(1);
        assertThat(BackgroundJobs.of(
                                Texts.snapshot("", EIGHT, "", Map.of("SchedulerType", "sched/builtin")),
                                ALIKE,
                                "sheaf-r.")
                        .capacity()
                        .policy()
                        .depth())
                .isZero();
    }
}
