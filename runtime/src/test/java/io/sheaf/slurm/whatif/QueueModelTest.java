package io.sheaf.slurm.whatif;

import static io.sheaf.slurm.whatif.Texts.running;
import static io.sheaf.slurm.whatif.Texts.start;
import static io.sheaf.slurm.whatif.Texts.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.text.InputException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot in the batch engine, compared with results by hand: 8 nodes of 2 cores unless stated otherwise. */
class QueueModelTest {
    private static final String EIGHT = Texts.EIGHT;
    private static final QueueModel.SubmissionTarget MAIN = Texts.target("");

    /** n1–n6 until 300 s; 4 nodes × 10 min wait for that. 2 nodes × 5 min fit before, × 6 min beside it; 5 nodes only at its end. */
    @Test
    void jobsAreBackfilledBeforeAndBesideWaitingJobs() {
        SlurmSnapshot snapshot = Texts.snapshot(
                running(1, "n[1-6]", 300) + waiting(2, 4, "10:00", "Resources", "(null)"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-6]\nmain*|up|infinite|idle|2|NO|(null)|n[7-8]\n");
        assertThat(start(snapshot, MAIN, 2, 5)).isZero();
        assertThat(start(snapshot, MAIN, 2, 60)).isZero();
        assertThat(start(snapshot, MAIN, 4, 60)).isEqualTo(300);
        assertThat(start(snapshot, MAIN, 5, 1)).isEqualTo(900);
        assertThat(start(snapshot, MAIN, 9, 1)).isEqualTo(-1);
    }

    /** Without the job that has n1–n6 until 300 s, all nodes are free until the one that waits gets them. */
    @Test
    void jobsOfARunCanBeLeftOut() {
        SlurmSnapshot snapshot = Texts.snapshot(
                running(1, "n[1-6]", 300).replace("|job\n", "|sheaf-me.1\n")
                        + waiting(2, 8, "10:00", "Resources", "(null)"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-6]\nmain*|up|infinite|idle|2|NO|(null)|n[7-8]\n");
        assertThat(start(snapshot, MAIN, 8, 1)).isEqualTo(900);
        assertThat(start(snapshot.without(job -> job.name().startsWith("sheaf-me.")), MAIN, 8, 1))
                .isEqualTo(600);
        assertThat(start(snapshot.without(job -> job.name().startsWith("sheaf-you.")), MAIN, 8, 1))
                .isEqualTo(900);
    }

    /** The same queue as a view: six nodes are in use until 300 s, four from then to 900 s. */
    @Test
    void theQueueViewShowsRunningAndWaitingJobs() {
        SlurmSnapshot snapshot = Texts.snapshot(
                running(1, "n[1-6]", 300) + waiting(2, 4, "10:00", "Resources", "(null)"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-6]\nmain*|up|infinite|idle|2|NO|(null)|n[7-8]\n");
        QueueView view = new QueueModel(snapshot, MAIN).view(snapshot.at());
        assertThat(view.nodes()).isEqualTo(8);
        assertThat(view.jobs().stream()
                        .filter(QueueView.ViewJob::running)
                        .mapToInt(QueueView.ViewJob::nodes)
                        .sum())
                .isEqualTo(6);
        assertThat(view.jobs().stream().filter(job -> !job.running()))
                .containsExactly(new QueueView.ViewJob(
                        QueueSnapshot.OTHERS, 4, snapshot.at() + 300_000, snapshot.at() + 900_000, false));
        assertThat(view.start(4, 3_600_000)).isEqualTo(snapshot.at() + 300_000);
        assertThat(view.start(5, 60_000)).isEqualTo(snapshot.at() + 900_000);
        assertThat(view.start(9, 60_000)).isEqualTo(Long.MAX_VALUE);
    }

    /** Slurm accepts jobs for a partition that is down, but starts none. */
    @Test
    void aPartitionThatIsNotUpIsNamed() {
        String nodes = EIGHT + EIGHT.replace("main*|up", "later|down");
        SlurmSnapshot snapshot = Texts.snapshot("", nodes);
        assertThat(new QueueModel(snapshot, MAIN).problems()).isEmpty();
        assertThat(new QueueModel(snapshot, Texts.target("main,later")).notUp())
                .singleElement()
                .asString()
                .startsWith("partition later is not up: Slurm starts no job there");
        assertThat(new QueueModel(snapshot, Texts.target("later")).problems()).hasSize(1);
    }

    @Test
    void aPartitionMayBeNamedTwice() {
        SlurmSnapshot snapshot = Texts.snapshot("", EIGHT);
        assertThat(new QueueModel(snapshot, Texts.target("main,main")).nodes().size())
                .isEqualTo(8);
        assertThat(QualityPreemption.read("high|low,low|cluster|\n", Map.of("PreemptType", "preempt/qos"))
                        .preempted())
                .containsEntry("high", Set.of("low"));
    }

    /** A node is free when the last job on it has ended, whatever share of it each has. */
    @Test
    void sharedNodesAreInUseUntilTheLastLimit() {
        SlurmSnapshot snapshot = Texts.snapshot(running(1, "n[1-8]", 100) + running(2, "n[1-2]", 500), EIGHT);
        assertThat(start(snapshot, MAIN, 6, 10)).isEqualTo(100);
        assertThat(start(snapshot, MAIN, 7, 10)).isEqualTo(500);
    }

    /** Two jobs of one core each share a node: 8 waiting ones need four nodes, not eight. */
    @Test
    void smallJobsShareNodes() {
        StringBuilder queue = new StringBuilder(running(1, "n[1-8]", 100));
        for (int id = 2; id < 10; id++) {
            queue.append(waiting(id, 1, "10:00", "Priority", "(null)").replace("|NO|", "|OK|"));
        }
        SlurmSnapshot snapshot = Texts.snapshot(queue.toString(), EIGHT);
        assertThat(start(snapshot, MAIN, 4, 10)).isEqualTo(100);
        assertThat(start(snapshot, MAIN, 5, 10)).isEqualTo(700);
    }

    /**
     * A long queue is planned once, not simulated: 300 jobs of 8 nodes × 1 min one after the other, the last
     * after the first, then ours.
     */
    @Test
    void aLongQueueWithDependentsIsEstimated() {
        StringBuilder queue = new StringBuilder(running(1, "n[1-8]", 100));
        for (int id = 2; id <= 300; id++) {
            queue.append(waiting(id, 8, "1:00", "Priority", "(null)"));
        }
        queue.append(waiting(301, 8, "1:00", "Dependency", "afterany:2(unfulfilled)"));
        SlurmSnapshot snapshot = Texts.snapshot(queue.toString(), EIGHT);
        assertThat(start(snapshot, MAIN, 8, 10)).isEqualTo(100 + 300 * 60);
    }

    @Test
    void heldJobsAndThoseInReservationsDoNotCompete() {
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 8, "10:00", "JobHeldAdmin", "(null)")
                + waiting(3, 8, "10:00", "Reservation", "(null)").replace("||(null)|you", "||maint|you")
                + waiting(4, 8, "10:00", "PartitionTimeLimit", "(null)");
        assertThat(start(Texts.snapshot(queue, EIGHT), MAIN, 8, 1)).isEqualTo(100);
    }

    /** Job 3 waits for job 2, which runs from 100 to 400; 3 is ahead of our job as soon as it is eligible. */
    @Test
    void dependentsAreEligibleWhenTheirPredecessorHasEnded() {
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 8, "5:00", "Resources", "(null)")
                + waiting(3, 8, "10:00", "Dependency", "afterok:2(unfulfilled)")
                + waiting(4, 1, "1:00:00", "Dependency", "afterany:1(unfulfilled)");
        SlurmSnapshot snapshot = Texts.snapshot(queue, EIGHT);
        // 2 from 100 to 400, then 3, which stands before 4, to 1000, then 4 on one node to 4600.
        assertThat(start(snapshot, MAIN, 7, 10)).isEqualTo(1_000);
        assertThat(start(snapshot, MAIN, 8, 10)).isEqualTo(4_600);
        assertThat(new QueueModel(snapshot, MAIN).unmodelledShare()).isZero();
    }

    @Test
    void jobsWithUnknownConditionsAreNotModelled() {
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 8, "30:00", "Dependency", "afterok:77(unfulfilled)")
                + waiting(3, 8, "10:00", "Priority", "(null)")
                + waiting(4, 4, "20:00", "Priority", "(null)").replace("|N/A|(null)|", "|gpu:2|(null)|")
                + waiting(5, 8, "10:00", "QOSMaxJobsPerUserLimit", "(null)");
        QueueModel model = new QueueModel(Texts.snapshot(queue, EIGHT), MAIN);
        // 240 + 80 (3) + 80 + 80 node-minutes; only job 3 is known exactly.
        assertThat(model.unmodelledShare()).isEqualTo(400.0 / 480, within(1e-9));
    }

    /** Three tasks of one node × 1 min, one at a time behind the running task, which ends at 100. */
    @Test
    void tasksOfAnArrayRunOneAtATime() {
        String running = running(11, "n1", 100).replace("11|11|", "11|7_1|");
        String tasks = waiting(7, 1, "1:00", "JobArrayTaskLimit", "(null)").replace("|7|PENDING", "|7_[2-4%1]|PENDING");
        SlurmSnapshot snapshot = Texts.snapshot(running + tasks, EIGHT.replace("mixed", "idle"));
        assertThat(new QueueModel(snapshot, MAIN).clusterState().queued()).isEqualTo(3);
        // 100 to 160, 160 to 220, 220 to 280 on one node each: eight nodes at once only before or after.
        assertThat(start(snapshot, MAIN, 8, 10)).isEqualTo(280);
        assertThat(start(snapshot, MAIN, 7, 10)).isZero();
    }

    /**
     * Nodes 5 to 8 are ours from 1000 s to 5000 s. Node 5 is in use until 1600 s; of two jobs that wait only the one in
     * the reservation is ahead of ours, on two nodes until 1600 s. So 1 node is free at 1000 s, 2 at 1600 s after that
     * job, and a job that would end after 5000 s never starts.
     */
    @Test
    void anOwnReservationHasItsOwnNodesQueueAndEnd() {
        String queue = Texts.running(1, "n5", 1_600)
                + Texts.running(2, "n[1-4]", 9_000)
                + waiting(3, 8, "2:00:00", "Resources", "(null)")
                + waiting(4, 2, "10:00", "Reservation", "(null)").replace("||(null)|you", "||ours|you");
        String reservation = "ReservationName=ours StartTime=" + (Texts.AT / 1000 + 1_000) + " EndTime="
                + (Texts.AT / 1000 + 5_000) + " Nodes=n[5-8] Users=me\n";
        SlurmSnapshot snapshot = Texts.snapshot(queue, EIGHT, reservation, Map.of());
        QueueModel.SubmissionTarget ours = new QueueModel.SubmissionTarget(
                "main", Set.of(), QueueModel.SubmissionTarget.LAST, "ours", Pools.NONE, 0);
        assertThat(new QueueModel(snapshot, ours).nodes().size()).isEqualTo(4);
        assertThat(start(snapshot, ours, 1, 10)).isEqualTo(1_000);
        assertThat(start(snapshot, ours, 2, 10)).isEqualTo(1_600);
        assertThat(start(snapshot, ours, 4, 50)).isEqualTo(1_600);
        assertThat(start(snapshot, ours, 4, 60)).isEqualTo(-1);
        assertThat(start(snapshot, ours, 5, 10)).isEqualTo(-1);
        assertThatThrownBy(() -> new QueueModel(
                        snapshot,
                        new QueueModel.SubmissionTarget(
                                "main", Set.of(), QueueModel.SubmissionTarget.LAST, "theirs", Pools.NONE, 0)))
                .hasMessageContaining("no reservation 'theirs'");
    }

    @Test
    void drainedNodesAreExcludedAndReservationsKeepNodes() {
        String nodes = """
                main*|up|infinite|idle|2|NO|(null)|n[1-6]
                main*|up|infinite|drained|2|NO|(null)|n7
                main*|up|infinite|down*|2|NO|(null)|n8
                """;
        String maintenance = "ReservationName=m StartTime=" + (Texts.AT / 1000 + 1_000) + " EndTime="
                + (Texts.AT / 1000 + 2_000) + " Nodes=n[5-8]";
        SlurmSnapshot snapshot = Texts.snapshot("", nodes, maintenance, Map.of());
        assertThat(start(snapshot, MAIN, 6, 10)).isZero();
        assertThat(start(snapshot, MAIN, 7, 10)).isEqualTo(-1);
        assertThat(start(snapshot, MAIN, 4, 60)).isZero();
        assertThat(start(snapshot, MAIN, 5, 60)).isEqualTo(2_000);
        assertThat(new QueueModel(snapshot, MAIN).nodes().out()).isEqualTo(2);
    }

    /** 4 of 8 nodes are also in partition small; a job there counts in main, one of main counts half in small. */
    @Test
    void jobsOfOverlappingPartitionsCompete() {
        String nodes =
                "main*|up|infinite|allocated|2|NO|(null)|n[1-8]\nsmall|up|infinite|allocated|2|NO|(null)|n[1-4]\n";
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 4, "10:00", "Priority", "(null)").replace("|main|", "|small|")
                + waiting(3, 2, "20:00", "Priority", "(null)");
        SlurmSnapshot snapshot = Texts.snapshot(queue, nodes);
        assertThat(start(snapshot, MAIN, 2, 10)).isEqualTo(100);
        assertThat(start(snapshot, MAIN, 3, 10)).isEqualTo(700);
        // In small: job 2 takes all 4 until 700, then one of the two nodes of job 3 until 1900.
        assertThat(start(snapshot, Texts.target("small"), 3, 10)).isEqualTo(700);
        assertThat(start(snapshot, Texts.target("small"), 4, 10)).isEqualTo(1_900);
    }

    /** Left has n1 to n4, right n3 to n6: a job of one takes nodes that the other counts, and each has its limit. */
    @Test
    void poolsCompeteForSharedNodesWithinTheirLimits() {
        String nodes = """
                left*|up|30:00|allocated|2|NO|(null)|n[1-2]
                left*|up|30:00|idle|2|NO|(null)|n[3-4]
                right|up|2:00:00|idle|2|NO|(null)|n[3-4]
                right|up|2:00:00|allocated|2|NO|(null)|n[5-6]
                """;
        Pools pools = Pools.parse("left=1-4,time=30m+right=3-6,time=2h", 6);
        String queue = running(1, "n[1-2]", 100)
                + running(2, "n[5-6]", 400)
                + waiting(3, 3, "10:00", "Priority", "(null)").replace("|main|", "|right|");
        SlurmSnapshot snapshot = Texts.snapshot(queue, nodes);
        QueueModel model = new QueueModel(
                snapshot,
                new QueueModel.SubmissionTarget(
                        "left,right", Set.of(), QueueModel.SubmissionTarget.LAST, "", pools, 0));
        // Job 3 starts at 400 on n3, n4 and n5, until 1000.
        assertThat(startIn(model, 1, 2, 5)).as("n3 and n4 until 300").isZero();
        assertThat(startIn(model, 1, 3, 10)).as("n1 and n2 are not enough").isEqualTo(1_000);
        assertThat(startIn(model, 1, 4, 10)).isEqualTo(1_000);
        assertThat(startIn(model, 2, 1, 100)).as("n6, which job 3 leaves").isEqualTo(400);
        assertThat(startIn(model, 2, 2, 100)).isEqualTo(1_000);
        assertThat(startIn(model, 1, 1, 31)).as("longer than left allows").isEqualTo(-1);
        assertThat(startIn(model, 0, 1, 10)).as("no pool").isEqualTo(-1);
    }

    /** Sinfo prints groups of nodes by their state; a job takes the first nodes by name, here n9 and n10, whatever their states. */
    @Test
    void jobsInPoolsTakeNodesInTheOrderOfTheirNames() {
        String nodes = """
                left*|up|30:00|mixed|2|NO|(null)|n[11-12]
                left*|up|30:00|allocated|2|NO|(null)|n[9-10]
                right|up|30:00|mixed|2|NO|(null)|n[11-12]
                right|up|30:00|allocated|2|NO|(null)|n[13-14]
                """;
        Pools pools = Pools.parse("left=1-4,time=30m+right=3-6,time=30m", 6);
        String queue = running(1, "n[9-14]", 300)
                + waiting(2, 2, "10:00", "Priority", "(null)").replace("|main|", "|left|");
        QueueModel model = new QueueModel(
                Texts.snapshot(queue, nodes),
                new QueueModel.SubmissionTarget(
                        "left,right", Set.of(), QueueModel.SubmissionTarget.LAST, "", pools, 0));
        assertThat(startIn(model, 2, 4, 10)).isEqualTo(300);
        assertThat(startIn(model, 1, 3, 10)).isEqualTo(900);
    }

    private static long startIn(QueueModel model, int pool, int nodes, long minutes) {
        long start = Texts.starts(model, Texts.AT, pool, new int[] {nodes}, new long[] {minutes * 60_000})[0];
        return start == StartTimes.NEVER ? -1 : (start - Texts.AT) / 1000;
    }

    @Test
    void jobsOfLowerPriorityAreBehindOurs() {
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 8, "10:00", "Priority", "(null)")
                + waiting(3, 8, "10:00", "Priority", "(null)");
        SlurmSnapshot snapshot = Texts.snapshot(queue, EIGHT);
        assertThat(start(snapshot, Texts.target("main", 99_998), 8, 10)).isEqualTo(700);
        assertThat(start(snapshot, Texts.target("main", 99_999), 8, 10)).isEqualTo(100);
    }

    /** Other users' jobs are hidden: 4 of 8 nodes are allocated, by limits of an hour, spread evenly. */
    @Test
    void hiddenJobsAreInferredFromTheirNodes() {
        String nodes = "main*|up|1:00:00|allocated|2|NO|(null)|n[1-4]\nmain*|up|1:00:00|idle|2|NO|(null)|n[5-8]\n";
        SlurmSnapshot snapshot = Texts.snapshot("", nodes, "", Map.of("PrivateData", "jobs"));
        assertThat(start(snapshot, MAIN, 4, 10)).isZero();
        assertThat(start(snapshot, MAIN, 5, 10)).isEqualTo(900);
        assertThat(start(snapshot, MAIN, 8, 10)).isEqualTo(3_600);
        assertThat(start(snapshot, MAIN, 1, 61)).isEqualTo(-1);
        assertThat(new QueueModel(snapshot, MAIN).unmodelledShare()).isNaN();
    }

    /**
     * 4 of 8 nodes are used by hidden jobs. A short job starts now: queued jobs need 5 nodes or more, which are free
     * only when a hidden job has ended.
     */
    @Test
    void aShortJobStartsOnIdleNodesAheadOfHiddenOnes(@TempDir Path folder) {
        String nodes = "main*|up|1:00:00|allocated|2|NO|(null)|n[1-4]\nmain*|up|1:00:00|idle|2|NO|(null)|n[5-8]\n";
        SlurmSnapshot snapshot = Texts.snapshot("", nodes, "", Map.of("PrivateData", "jobs"));
        EndedJobs none = new EndedJobs(SlurmCommands.runner(folder, Reach.here(Map.of()), 1_000), folder);
        Quantiles brief = drawn(snapshot, none, 4, 1);
        // Four hidden jobs all last longer than a minute in 59/60 to the 4th of the samples: 93 %.
        assertThat(brief.median()).isZero();
        assertThat(brief.low90()).isZero();
        Quantiles wide = drawn(snapshot, none, 5, 1);
        assertThat(wide.low90()).isPositive();
        assertThat(wide.high90()).isGreaterThan(1_800_000);
    }

    private static Quantiles drawn(SlurmSnapshot snapshot, EndedJobs ended, int nodes, int minutes) {
        StartQuery query = StartQuery.of(snapshot.at(), 0, nodes, minutes * 60_000L);
        return Objects.requireNonNull(SampledStarts.drawn(snapshot, draw -> MAIN, ended, query, 101));
    }

    /** A job runs on all nodes of a lower tier and is preempted after a grace of 20 s; jobs of its own tier wait for its end. */
    @Test
    void jobsOfLowerTiersArePreempted() {
        String low = "PartitionName=main PriorityTier=1 PreemptMode=CANCEL GraceTime=20\n";
        String high = "PartitionName=high PriorityTier=10 PreemptMode=OFF GraceTime=0\n";
        Map<String, String> config = Map.of("PreemptType", "preempt/partition_prio");
        String nodes = EIGHT + EIGHT.replace("main*", "high");
        SlurmSnapshot snapshot = Texts.snapshot(running(1, "n[1-8]", 500), nodes);
        assertThat(start(tiers(snapshot, low + high, config), Texts.target("high"), 8, 10))
                .isEqualTo(20);
        assertThat(start(tiers(snapshot, low + high, config), MAIN, 8, 10)).isEqualTo(500);
        assertThat(start(tiers(snapshot, low + high, Map.of()), Texts.target("high"), 8, 10))
                .isEqualTo(500);
        assertThat(start(tiers(snapshot, low.replace("CANCEL", "OFF") + high, config), Texts.target("high"), 8, 10))
                .isEqualTo(500);
    }

    /** A job of QOS low runs on all nodes; jobs of high preempt it after a grace of 20 s, those of its own QOS wait for its end. Tiers of partitions do not matter. */
    @Test
    void jobsOfALowerQosArePreempted() {
        SlurmSnapshot snapshot = Texts.snapshot(running(1, "n[1-8]", 500).replace("|normal|", "|low|"), EIGHT);
        assertThat(start(qualities(snapshot, "REQUEUE", "high"), MAIN, 8, 10)).isEqualTo(20);
        assertThat(start(qualities(snapshot, "REQUEUE", "low"), MAIN, 8, 10)).isEqualTo(500);
        assertThat(start(qualities(snapshot, "REQUEUE", "high,low"), MAIN, 8, 10))
                .as("either QOS")
                .isEqualTo(500);
        assertThat(start(qualities(snapshot, "OFF", "high"), MAIN, 8, 10)).isEqualTo(500);
    }

    private static SlurmSnapshot qualities(SlurmSnapshot snapshot, String mode, String ours) {
        Map<String, String> config = Map.of("PreemptType", "preempt/qos", "PreemptMode", mode);
        String table = "normal||cluster|00:00:00\nlow||cluster|00:00:20\nhigh|low,normal|cluster|00:00:00\n";
        Map<String, Long> preempted = QualityPreemption.read(table, config).by(List.of(ours.split(",")));
        return new SlurmSnapshot(
                snapshot.at(),
                snapshot.user(),
                snapshot.jobs(),
                snapshot.nodes(),
                snapshot.reservations(),
                PartitionTiers.read(List.of(), config, preempted),
                config,
                snapshot.limits(),
                0,
                List.of(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
    }

    private static SlurmSnapshot tiers(SlurmSnapshot snapshot, String partitions, Map<String, String> config) {
        return new SlurmSnapshot(
                snapshot.at(),
                snapshot.user(),
                snapshot.jobs(),
                snapshot.nodes(),
                snapshot.reservations(),
                PartitionTiers.read(SlurmPartition.read(partitions), config, Map.of()),
                config,
                snapshot.limits(),
                0,
                List.of(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
    }

    @Test
    void aPartitionWithoutNodesIsRefused() {
        SlurmSnapshot snapshot = Texts.snapshot("", "main*|up|infinite|drained|2|NO|(null)|n[1-8]\n");
        assertThatThrownBy(() -> new QueueModel(snapshot, MAIN))
                .isInstanceOf(InputException.class)
                .hasMessage("partition main has no node that takes jobs");
        assertThatThrownBy(() -> new QueueModel(snapshot, Texts.target("mein")))
                .hasMessage("there is no partition 'mein'; partitions: main");
    }
}
