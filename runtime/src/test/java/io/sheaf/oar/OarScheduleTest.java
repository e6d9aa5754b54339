package io.sheaf.oar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.Submission;
import io.sheaf.runtime.batch.BatchCommands;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Free slots in a schedule, compared with results by hand: three nodes of two cores and one that has failed, at second
 * 1000.
 *
 * <pre>
 * a  1 runs until 1100         3 (both cores) 1300 to 1400
 * b  1 runs until 1100         2 (one core) 1160 to 1260
 * c  free
 * </pre>
 */
class OarScheduleTest {
    private static final long NOW = 1_000_000;
    private static final String PLAN = """
            {
               "resources" : [
                  { "resource_id" : 1, "network_address" : "a", "type" : "default", "state" : "Alive" },
                  { "resource_id" : 2, "network_address" : "a", "type" : "default", "state" : "Alive" },
                  { "resource_id" : 3, "network_address" : "b", "type" : "default", "state" : "Alive" },
                  { "resource_id" : 4, "network_address" : "b", "type" : "default", "state" : "Alive" },
                  { "resource_id" : 5, "network_address" : "c", "type" : "default", "state" : "Alive" },
                  { "resource_id" : 6, "network_address" : "c", "type" : "default", "state" : "Alive" },
                  { "resource_id" : 7, "network_address" : "d", "type" : "default", "state" : "Dead", "available_upto" : 0 }
               ],
               "dead_resources" : {},
               "jobs" : {
                  "1" : { "state" : "Running", "start_time" : 900, "stop_time" : 1100, "resource_id" : [ 1, 2, 3, 4 ], "job_name" : "x" },
                  "2" : { "state" : "Waiting", "start_time" : 1160, "stop_time" : 1260, "resource_id" : [ 3 ], "job_name" : "sheaf-r.1" },
                  "3" : { "state" : "Waiting", "start_time" : "1300", "stop_time" : "1400", "resource_id" : [ 1, 2 ], "job_name" : null },
                  "4" : { "state" : "Terminated", "start_time" : 900, "stop_time" : 1500, "resource_id" : [ 5, 6 ], "job_name" : "y" }
               }
            }
            """;

    private static QueueSnapshot snapshot(int cores) {
        return OarSchedule.parse(PLAN, cores, NOW, name -> BatchCommands.token("r", name));
    }

    private final QueueSnapshot.Loaded whole = snapshot(2).load();
    private final QueueSnapshot.Loaded half = snapshot(1).load();

    private static long firstStart(QueueSnapshot.Loaded queue, int nodes, int seconds) {
        long start = queue.engine().estimate(NOW, Submission.of(nodes, seconds * 1000L));
        return start == Long.MAX_VALUE ? -1 : start / 1000;
    }

    @Test
    void aJobStartsInTheFirstFreeSlot() {
        // c stays free.
        assertThat(firstStart(whole, 1, 9999)).isEqualTo(1000);
        // a is free from 1160, a minute after the job there, until 1300: 140 s; with c that makes two.
        assertThat(firstStart(whole, 2, 140)).isEqualTo(1160);
        // Longer than that b is the second: its core is released at 1260, and all cores are free a minute later.
        assertThat(firstStart(whole, 2, 141)).isEqualTo(1320);
        // All three when 3 has ended.
        assertThat(firstStart(whole, 3, 10)).isEqualTo(1460);
    }

    @Test
    void aNodeWithEnoughFreeCoresCountsAsFree() {
        // One core of b is free beside job 2.
        assertThat(firstStart(half, 3, 140)).isEqualTo(1160);
        assertThat(firstStart(half, 2, 9999)).isEqualTo(1160);
    }

    @Test
    void aJobThatIsTooLargeNeverStarts() {
        assertThat(snapshot(2).capacity().units()).isEqualTo(3);
        assertThat(firstStart(whole, 4, 1)).isEqualTo(-1);
        assertThat(snapshot(3).capacity().units()).isZero();
    }

    @Test
    void queuedJobsKeepTheirPlannedStarts() {
        List<QueueSnapshot.Job> jobs = snapshot(2).jobs();
        // Nodes a and b, which a job uses until 1100 and a minute, then both queued jobs.
        assertThat(jobs).extracting(QueueSnapshot.Job::units).containsExactly(1, 1, 1, 1);
        assertThat(jobs).extracting(QueueSnapshot.Job::token).containsExactly(-1L, -1L, 1L, -1L);
        assertThat(whole.engine().start(whole.handle(2))).isEqualTo(1_160_000);
        assertThat(whole.engine().start(whole.handle(3))).isEqualTo(1_300_000);
        // With one core of a node the job on one core of b does not count.
        assertThat(snapshot(1).jobs()).hasSize(3);
    }
}
