package io.sheaf.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.Policy;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartQuery;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.sim.WaitForecast;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forecast of the queue wait of one more job on an embedded cluster. */
class ClusterForecastTest {
    private static final long BASE = 1_000_000;
    private static final String BACKGROUND = "kth-like@600x";

    @TempDir
    Path folder = Path.of("");

    private static WaitForecast waits(ClusterForecast forecast) {
        return Objects.requireNonNull(forecast.waits());
    }

    /**
     * 4 nodes: an own job has 3 for 60 s, then another one 2 for 30 s. Without background jobs only limits are known.
     */
    @Test
    void withoutBackgroundJobsTheForecastIsThePlan() throws IOException {
        ClusterShape shape = Shapes.of(4, 1);
        try (Journal journal = Journal.open(folder, "test", message -> {})) {
            ClusterLog log = new ClusterLog(journal);
            log.begin(BASE);
            log.submitted(BASE, 1, Request.of(3, 60_000));
            log.passed(BASE);
            log.submitted(BASE + 1_000, 2, Request.of(2, 30_000));
            log.passed(BASE + 1_000);
            log.journal().commit();
            ClusterForecast forecast =
                    ClusterForecast.read(shape, folder, StartQuery.of(BASE + 10_000, 0, 4, 600_000), 20);
            assertThat(forecast).isEqualTo(new ClusterForecast(WaitForecast.certain(80_000), false, 4, 3, 1));
            assertThat(waits(ClusterForecast.read(shape, folder, StartQuery.of(BASE + 10_000, 0, 1, 600_000), 20))
                            .scheduler())
                    .isZero();
            assertThat(ClusterForecast.read(shape, folder, StartQuery.of(BASE + 10_000, 0, 5, 600_000), 20)
                            .waits())
                    .isNull();
        }
    }

    @Test
    void endsAndArrivalsOfBackgroundJobsAreSampled() throws IOException {
        ClusterShape shape = Shapes.of(8, 1, BACKGROUND, 13);
        long at = BASE + 5_000;
        try (Journal journal = Journal.open(folder, "test", message -> {})) {
            ClusterLog log = new ClusterLog(journal);
            log.begin(BASE);
            log.submitted(BASE, 1, Request.of(4, 20_000));
            log.passed(BASE);
            log.journal().commit();
            ClusterForecast forecast = ClusterForecast.read(shape, folder, StartQuery.of(at, 0, 8, 60_000), 40);
            assertThat(forecast.sampled()).isTrue();
            WaitForecast waits = waits(forecast);
            QueueView view = QueueView.read(shape, folder, at);
            assertThat(waits.scheduler()).isEqualTo(view.start(8, 60_000) - at).isPositive();
            assertThat(waits.waits().values()).isSorted();
            // Jobs end before their limits: the median wait is shorter than planned, and uncertain.
            assertThat(waits.waits().median()).isLessThan(waits.scheduler());
            assertThat(waits.waits().high90()).isGreaterThan(waits.waits().low90());
            assertThat(ClusterForecast.read(shape, folder, StartQuery.of(at, 0, 8, 60_000), 40))
                    .as("repeatable")
                    .isEqualTo(forecast);
        }
    }

    /** A day of the model takes 144 s at 600 times its speed. */
    @Test
    void aDayIsAsLongAsInTheBackgroundModel() {
        ClusterMachine fast = new ClusterMachine(Policy.conservative(), 8, ModelledLoad.of(BACKGROUND, 8, 1), BASE);
        assertThat(fast.day()).isEqualTo(144_000);
        assertThat(new ClusterMachine(Policy.conservative(), 8, null, BASE).day())
                .isEqualTo(86_400_000);
    }

    /**
     * An own job has 3 of 4 nodes for 60 s. Another job of 4 nodes waits for them, unless the manager ends the first
     * one.
     */
    @Test
    void nodesOfEndingJobsCountAsFree() {
        ClusterMachine machine = new ClusterMachine(Policy.conservative(), 4, null, BASE);
        machine.submit(BASE, 1, Request.of(3, 60_000));
        machine.pass(BASE);
        StartQuery query = StartQuery.of(BASE, 0, 4, 60_000);
        assertThat(machine.planned().estimate(query).job(0)).isEqualTo(BASE + 60_000);
        assertThat(machine.plannedWithout(Set.of(1L)).estimate(query).job(0)).isEqualTo(BASE);
        assertThat(machine.planned().estimate(query).job(0))
                .as("the machine itself does not change")
                .isEqualTo(BASE + 60_000);
    }
}
