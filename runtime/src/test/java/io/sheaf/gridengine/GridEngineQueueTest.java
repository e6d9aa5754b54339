package io.sheaf.gridengine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.batch.Submission;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.SnapshotForecast;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Start estimates, compared with results by hand, for a queue as Grid Engine 8.1.9 prints it: 8 slots, 5 of them in use
 * for 600 s more.
 *
 * <pre>
 * 3  runs on 5 slots until 600 s
 * 4  pending, 6 slots for 1000 s     5  held     6  an array of three tasks of one slot, two hours each
 * </pre>
 */
class GridEngineQueueTest {
    private static final long NOW = LocalDateTime.parse("2026-11-15T18:00:00")
            .atZone(ZoneId.systemDefault())
            .toInstant()
            .toEpochMilli();

    private static final String QUEUE = """
            <?xml version='1.0'?>
            <job_info>
              <queue_info>
                <Queue-List><name>all.q@n1</name><slots_total>4</slots_total></Queue-List>
                <Queue-List><name>all.q@n2</name><slots_total>4</slots_total></Queue-List>
                <Queue-List><name>all.q@n3</name><slots_total>4</slots_total><state>au</state></Queue-List>
                <Queue-List><name>long.q@n4</name><slots_total>4</slots_total></Queue-List>
              </queue_info>
            </job_info>
            <!-- next -->
            <?xml version='1.0'?>
            <job_info>
              <queue_info>
                <job_list state="running">
                  <JB_job_number>3</JB_job_number><JB_name>x</JB_name><state>r</state>
                  <JAT_start_time>2026-11-15T17:50:00</JAT_start_time>
                  <queue_name>all.q@n1</queue_name><slots>5</slots>
                  <hard_request name="mem_free" resource_contribution="0">1G</hard_request>
                  <hard_request name="h_rt" resource_contribution="0">0:20:0</hard_request>
                </job_list>
                <job_list state="running">
                  <JB_job_number>2</JB_job_number><JB_name>y</JB_name><state>r</state>
                  <JAT_start_time>2026-11-15T17:50:00</JAT_start_time>
                  <queue_name>long.q@n4</queue_name><slots>4</slots>
                </job_list>
              </queue_info>
              <job_info>
                <job_list state="pending">
                  <JB_job_number>4</JB_job_number><JB_name>sheaf-r.</JB_name><state>qw</state><slots>6</slots>
                  <full_job_name>sheaf-r.7</full_job_name>
                  <hard_request name="h_rt" resource_contribution="0">1000</hard_request>
                </job_list>
                <job_list state="pending">
                  <JB_job_number>5</JB_job_number><JB_name>z</JB_name><state>hqw</state><slots>8</slots>
                </job_list>
                <job_list state="pending">
                  <JB_job_number>6</JB_job_number><JB_name>z</JB_name><state>qw</state><slots>1</slots>
                  <tasks>4-8:2</tasks>
                  <hard_request name="h_rt" resource_contribution="0">2:0:0</hard_request>
                </job_list>
                <job_list state="pending">
                  <JB_job_number>8</JB_job_number><JB_name>z</JB_name><state>qw</state><slots>8</slots>
                  <hard_req_queue>long.q</hard_req_queue>
                </job_list>
              </job_info>
            </job_info>
            <!-- next -->
            algorithm                         default
            max_reservation                   RESERVED
            """;

    private static SnapshotForecast.SnapshotQueue queue(int cores, int reservations) {
        GridEngineCommands none = new GridEngineCommands(Reach.here(Map.of()));
        QsubOptions options = QsubOptions.of(List.of("-pe", "any", "-q", "all.q"));
        return new GridEngineQueue(none, options, cores, name -> BatchCommands.token("r", name))
                .parse(QUEUE.replace("RESERVED", String.valueOf(reservations)), NOW);
    }

    private static long start(SnapshotForecast.SnapshotQueue queue, int nodes, int seconds) {
        return (queue.snapshot().load().engine().estimate(NOW, Submission.of(nodes, seconds * 1000L)) - NOW) / 1000;
    }

    @Test
    void onlyJobsThatCompeteForTheSlotsAreInTheSnapshot() {
        QueueSnapshot snapshot = queue(1, 0).snapshot();
        assertThat(snapshot.capacity().units()).isEqualTo(8);
        assertThat(snapshot.jobs()).extracting(QueueSnapshot.Job::id).containsExactly("3", "4", "6", "6", "6");
        assertThat(snapshot.jobs()).extracting(QueueSnapshot.Job::units).containsExactly(5, 6, 1, 1, 1);
        assertThat(snapshot.jobs()).extracting(QueueSnapshot.Job::token).containsExactly(-1L, 7L, -1L, -1L, -1L);
        assertThat(snapshot.jobs().get(0).walltime()).isEqualTo(1_200_000);
        assertThat(snapshot.jobs().get(2).walltime()).isEqualTo(7_200_000);
        // Two slots a node: 5 slots fill 3 of 4 nodes.
        QueueSnapshot pairs = queue(2, 0).snapshot();
        assertThat(pairs.capacity().units()).isEqualTo(4);
        assertThat(pairs.jobs()).extracting(QueueSnapshot.Job::units).containsExactly(3, 3, 1, 1, 1);
    }

    @Test
    void startEstimatesMatchResultsByHand() {
        SnapshotForecast.SnapshotQueue queue = queue(1, 1);
        assertThat(queue.fillsIdle()).isFalse();
        // Job 4 starts at 600 s on 6 of 8 slots. Two of the tasks fit beside it at once; the third would delay it and
        // waits until 1600 s. A short job has the third idle slot until then.
        assertThat(start(queue, 1, 600)).isZero();
        assertThat(start(queue, 1, 601)).isEqualTo(1600);
        assertThat(start(queue, 8, 10)).isEqualTo(8800);
        assertThat(queue(1, 0).fillsIdle()).isTrue();
    }

    @Test
    void timeLimitsAndTaskRangesAreParsed() {
        assertThat(GridEngineQueue.seconds("90")).isEqualTo(90);
        assertThat(GridEngineQueue.seconds("1:0:0")).isEqualTo(3600);
        assertThat(GridEngineQueue.seconds("INFINITY")).isEqualTo(86_400);
        assertThat(GridEngineQueue.seconds("")).isEqualTo(86_400);
        assertThat(GridEngineQueue.tasks("")).isEqualTo(1);
        assertThat(GridEngineQueue.tasks("4-8:2")).isEqualTo(3);
        assertThat(GridEngineQueue.tasks("1-3,7,9-10:1")).isEqualTo(6);
        assertThat(GridEngineQueue.tasks("1-100000:1")).isEqualTo(1000);
    }
}
