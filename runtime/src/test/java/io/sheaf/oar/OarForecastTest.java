package io.sheaf.oar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.predict.Basis;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.SnapshotForecast;
import io.sheaf.sim.KnownQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Start estimates by a plan that a script in place of {@code oarstat} prints: two nodes, one of them in use for 200 s,
 * and an own job planned after that.
 */
class OarForecastTest {
    @TempDir
    Path folder = Path.of("");

    private final long now = System.currentTimeMillis() / 1000 * 1000;

    private SnapshotForecast estimator(String script) throws IOException {
        Path file = Files.writeString(
                folder.resolve("oarstat"),
                "#!/bin/sh\nprintf '%s\\n' \"$@\" >> " + folder + "/words\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        OarCommands commands = new OarCommands(
                System.getenv(), OarCommands.runner(folder, Reach.here(System.getenv()), 10_000), "user");
        return new SnapshotForecast(
                commands.source(1, name -> BatchCommands.token("r", name)), folder.resolve("answer"), 1_000);
    }

    private String plan() throws IOException {
        long second = now / 1000;
        Path text = Files.writeString(
                folder.resolve("plan"), """
                {
                   "resources" : [
                      { "resource_id" : 1, "network_address" : "a", "type" : "default", "state" : "Alive" },
                      { "resource_id" : 2, "network_address" : "b", "type" : "default", "state" : "Alive" }
                   ],
                   "jobs" : {
                      "1" : { "state" : "Running", "start_time" : %d, "stop_time" : %d, "resource_id" : [ 1 ], "job_name" : "x" },
                      "2" : { "state" : "Waiting", "start_time" : %d, "stop_time" : %d, "resource_id" : [ 1 ], "job_name" : "sheaf-r.7" }
                   }
                }
                """.formatted(second - 10, second + 200, second + 260, second + 360));
        return "cat " + text;
    }

    private long[] starts(SnapshotForecast estimator, int... units) {
        StartQuery query = new StartQuery().begin(now, StartQuery.Arrangement.IN_ORDER);
        for (int each : units) {
            query.add(0, each, 20_000);
        }
        StartTimes starts = estimator.estimate(query);
        assertThat(starts.answered()).isEqualTo(units.length);
        return IntStream.range(0, units.length).mapToLong(starts::job).toArray();
    }

    @Test
    void aJobIsEstimatedToStartInTheFirstFreeSlot() throws Exception {
        SnapshotForecast estimator = estimator(plan());
        // Node b is free at once. Both are free a minute after the end of our job, since 20 s and the reserve of agents
        // do not fit before it.
        assertThat(starts(estimator, 1, 2, 3)).containsExactly(now, now + 420_000, Long.MAX_VALUE);
        assertThat(estimator.basis()).isEqualTo(Basis.SIMULATED);
        StartTimes starts = estimator.estimate(
                StartQuery.ofQueued(now, new long[] {7, 8}, 2).add(0, 1, 20_000));
        assertThat(starts.queued(0)).isEqualTo(now + 260_000);
        assertThat(starts.queued(1)).isEqualTo(StartTimes.NEVER);
        assertThat(starts.job(0)).isEqualTo(now);
    }

    /** Without our job both nodes are free at 260 s. A new own job is planned after it until a snapshot contains it. */
    @Test
    void cancelledAndNewOwnJobsChangeTheEstimate() throws Exception {
        SnapshotForecast estimator = estimator(plan());
        StartTimes starts = estimator.estimate(
                StartQuery.ofQueued(now, new long[0], 0).cancelling(7).add(0, 2, 20_000));
        assertThat(starts.job(0)).isEqualTo(now + 260_000);
        estimator.submitting(8, Request.of(2, 85_000));
        // 85 s and the reserve of agents, 100 s, from 420 s on.
        assertThat(estimator
                        .estimate(StartQuery.ofQueued(now, new long[] {8}, 1).add(0, 2, 20_000))
                        .job(0))
                .isEqualTo(now + 520_000);
        estimator.happened(new Event.Ended(now, 8, Event.End.CANCELLED));
        assertThat(starts(estimator, 2)).containsExactly(now + 420_000);
        KnownQueue known = Objects.requireNonNull(estimator.known());
        assertThat(known.engine().queued()).as("background jobs").isZero();
        assertThat(known.engine().idle()).isEqualTo(1);
    }

    @Test
    void oneQueryServesAllProcesses() throws Exception {
        String plan = plan();
        assertThat(starts(estimator(plan), 1)).containsExactly(now);
        assertThat(starts(estimator(plan), 2)).containsExactly(now + 420_000);
        assertThat(Files.readAllLines(folder.resolve("words")))
                .hasSize(3)
                .first()
                .isEqualTo("--gantt");
    }

    @Test
    void estimatesHaveNoBasisWhileOarIsUnreachable() throws Exception {
        SnapshotForecast estimator = estimator("echo 'DBI error' >&2; exit 1");
        assertThat(starts(estimator, 2)).containsExactly(now);
        assertThat(estimator.basis()).isEqualTo(Basis.NONE);
        StartTimes starts =
                estimator.estimate(StartQuery.ofQueued(now, new long[] {7}, 1).add(0, 1, 20_000));
        assertThat(starts.queued(0)).isEqualTo(StartTimes.NEVER);
        assertThat(starts.job(0)).isEqualTo(StartTimes.NEVER);
    }
}
