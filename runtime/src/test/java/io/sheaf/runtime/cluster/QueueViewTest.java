package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.BatchEngine;
import io.sheaf.manager.Request;
import io.sheaf.runtime.journal.Journal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue view, read from the log, shows the queue of the manager process. */
class QueueViewTest {
    private static final long BASE = 1_000_000;

    @TempDir
    Path folder = Path.of("");

    /** 4 nodes, 3 of them in use until 60 s. Then a job of 2 nodes may start; one node is free now. */
    @Test
    void jobsHaveThePlannedStartsOfTheEngine() throws IOException {
        ClusterShape shape = Shapes.of(4, 1);
        try (Journal journal = Journal.open(folder, "test", message -> {})) {
            ClusterLog log = new ClusterLog(journal);
            log.begin(BASE);
            log.submitted(BASE, 1, Request.of(3, 60_000));
            log.passed(BASE);
            log.submitted(BASE + 1_000, 2, Request.of(2, 30_000));
            log.passed(BASE + 1_000);
            log.journal().commit();
            QueueView view = QueueView.read(shape, folder, BASE + 10_000);
            assertThat(view.at()).isEqualTo(BASE + 10_000);
            assertThat(view.nodes()).isEqualTo(4);
            assertThat(view.jobs())
                    .isEqualTo(List.of(
                            new QueueView.ViewJob(1, 3, BASE, BASE + 60_000, true),
                            new QueueView.ViewJob(2, 2, BASE + 60_000, BASE + 90_000, false)));
            // One node is free. Two are free beside the second job when the first has ended; four when both have.
            assertThat(view.start(1, 600_000)).isEqualTo(BASE + 10_000);
            assertThat(view.start(2, 600_000)).isEqualTo(BASE + 60_000);
            assertThat(view.start(4, 600_000)).isEqualTo(BASE + 90_000);
            assertThat(view.start(5, 600_000)).isEqualTo(BatchEngine.NEVER);
        }
    }

    /** Background jobs start in passes that are not recorded, since no own job changed in them. */
    @Test
    void backgroundJobsContinueInTheView() throws IOException {
        ClusterShape shape = Shapes.of(8, 1, "kth-like@600x", 13);
        ClusterMachine machine = new ClusterMachine(shape.policy(), 8, ModelledLoad.of("kth-like@600x", 8, 13), BASE);
        try (Journal journal = Journal.open(folder, "test", message -> {})) {
            ClusterLog log = new ClusterLog(journal);
            log.begin(BASE);
            log.submitted(BASE, 1, Request.of(4, 20_000));
            log.passed(BASE);
            log.journal().commit();
            machine.submit(BASE, 1, Request.of(4, 20_000));
            machine.pass(BASE);
            long at = BASE + 5_000;
            while (machine.nextPass() <= at) {
                machine.pass(Math.max(machine.now(), machine.nextPass()));
            }
            QueueView view = QueueView.read(shape, folder, at);
            assertThat(view.jobs()).isEqualTo(machine.view(at).jobs()).hasSizeGreaterThan(2);
            assertThat(view.jobs().stream().filter(job -> job.token() == 1)).hasSize(1);
            int busy = view.jobs().stream()
                    .filter(QueueView.ViewJob::running)
                    .mapToInt(QueueView.ViewJob::nodes)
                    .sum();
            assertThat(busy).isBetween(1, 8);
        }
    }
}
