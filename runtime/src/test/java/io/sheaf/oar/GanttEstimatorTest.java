package io.sheaf.oar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Basis;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.SharedAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Estimates by a plan that a program in place of {@code oarstat} prints: two nodes, one taken for 200 s from now on, and a job of ours planned behind that. */
class GanttEstimatorTest {
    @TempDir
    Path folder = Path.of("");

    private final long now = System.currentTimeMillis() / 1000 * 1000;

    private GanttEstimator estimator(String script) throws IOException {
        Path file = Files.writeString(
                folder.resolve("oarstat"),
                "#!/bin/sh\nprintf '%s\\n' \"$@\" >> " + folder + "/words\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new GanttEstimator(
                OarCommands.runner(folder, System.getenv(), 10_000),
                new SharedAnswer(folder.resolve("answer"), GanttEstimator.APART),
                1,
                token -> "sheaf-r." + token);
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

    private long[] starts(GanttEstimator estimator, int... units) {
        StartQuery query = new StartQuery().begin(now, StartQuery.Arrangement.IN_ORDER);
        for (int each : units) {
            query.add(0, each, 20_000);
        }
        StartTimes starts = estimator.estimate(query);
        assertThat(starts.answered()).isEqualTo(units.length);
        return IntStream.range(0, units.length).mapToLong(starts::job).toArray();
    }

    @Test
    void byTheFirstHole() throws Exception {
        GanttEstimator estimator = estimator(plan());
        // b at once; both when our own job, and a minute, are over, since 20 s and what agents need do not fit before
        // it.
        assertThat(starts(estimator, 1, 2, 3)).containsExactly(now, now + 420_000, Long.MAX_VALUE);
        assertThat(estimator.basis()).isEqualTo(Basis.SIMULATED);
        StartTimes starts = estimator.estimate(
                StartQuery.ofQueued(now, new long[] {7, 8}, 2).add(0, 1, 20_000));
        assertThat(starts.queued(0)).isEqualTo(now + 260_000);
        assertThat(starts.queued(1)).isEqualTo(StartTimes.NEVER);
        assertThat(starts.job(0)).isEqualTo(now);
    }

    @Test
    void oneQuestionServesAllProcesses() throws Exception {
        String plan = plan();
        assertThat(starts(estimator(plan), 1)).containsExactly(now);
        assertThat(starts(estimator(plan), 2)).containsExactly(now + 420_000);
        assertThat(Files.readAllLines(folder.resolve("words")))
                .hasSize(3)
                .first()
                .isEqualTo("--gantt");
    }

    @Test
    void nothingIsKnownWhileOarIsAway() throws Exception {
        GanttEstimator estimator = estimator("echo 'DBI error' >&2; exit 1");
        assertThat(starts(estimator, 2)).containsExactly(now);
        assertThat(estimator.basis()).isEqualTo(Basis.NONE);
        StartTimes starts =
                estimator.estimate(StartQuery.ofQueued(now, new long[] {7}, 1).add(0, 1, 20_000));
        assertThat(starts.queued(0)).isEqualTo(StartTimes.NEVER);
        assertThat(starts.job(0)).isEqualTo(StartTimes.NEVER);
    }
}
