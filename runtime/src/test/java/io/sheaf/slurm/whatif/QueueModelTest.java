package io.sheaf.slurm.whatif;

import static io.sheaf.slurm.whatif.Texts.running;
import static io.sheaf.slurm.whatif.Texts.start;
import static io.sheaf.slurm.whatif.Texts.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.text.InputException;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot in the batch engine, by hand-worked examples: 8 nodes of 2 cores unless it says otherwise. */
class QueueModelTest {
    private static final String EIGHT = "main*|up|infinite|mixed|2|NO|(null)|n[1-8]\n";
    private static final QueueModel.SubmissionTarget MAIN = Texts.target("");

    /** n1–n6 until 300 s; 4 nodes × 10 min wait for that. 2 nodes × 5 min fit before, × 6 min beside it; 5 nodes only at its end. */
    @Test
    void backfillsBeforeAndBesideWaitingJobs() {
        SlurmSnapshot seen = Texts.snapshot(
                running(1, "n[1-6]", 300) + waiting(2, 4, "10:00", "Resources", "(null)"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-6]\nmain*|up|infinite|idle|2|NO|(null)|n[7-8]\n");
        assertThat(start(seen, MAIN, 2, 5)).isZero();
        assertThat(start(seen, MAIN, 2, 60)).isZero();
        assertThat(start(seen, MAIN, 4, 60)).isEqualTo(300);
        assertThat(start(seen, MAIN, 5, 1)).isEqualTo(900);
        assertThat(start(seen, MAIN, 9, 1)).isEqualTo(-1);
    }

    /** Without the job that has n1–n6 until 300 s, all nodes are free until the one that waits gets them. */
    @Test
    void jobsOfARunCanBeLeftOut() {
        SlurmSnapshot seen = Texts.snapshot(
                running(1, "n[1-6]", 300).replace("|job\n", "|sheaf-me.1\n")
                        + waiting(2, 8, "10:00", "Resources", "(null)"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-6]\nmain*|up|infinite|idle|2|NO|(null)|n[7-8]\n");
        assertThat(start(seen, MAIN, 8, 1)).isEqualTo(900);
        assertThat(start(seen.without(job -> job.name().startsWith("sheaf-me.")), MAIN, 8, 1))
                .isEqualTo(600);
        assertThat(start(seen.without(job -> job.name().startsWith("sheaf-you.")), MAIN, 8, 1))
                .isEqualTo(900);
    }

    /** The same for people: six nodes are taken until 300 s, four from then to 900 s. */
    @Test
    void theQueueForPeople() {
        SlurmSnapshot seen = Texts.snapshot(
                running(1, "n[1-6]", 300) + waiting(2, 4, "10:00", "Resources", "(null)"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-6]\nmain*|up|infinite|idle|2|NO|(null)|n[7-8]\n");
        QueueView view = new QueueModel(seen, MAIN).view(seen.at());
        assertThat(view.nodes()).isEqualTo(8);
        assertThat(view.jobs().stream()
                        .filter(QueueView.ViewJob::running)
                        .mapToInt(QueueView.ViewJob::nodes)
                        .sum())
                .isEqualTo(6);
        assertThat(view.jobs().stream().filter(job -> !job.running()))
                .containsExactly(new QueueView.ViewJob(
                        QueueSnapshot.OTHERS, 4, seen.at() + 300_000, seen.at() + 900_000, false));
        assertThat(view.start(4, 3_600_000)).isEqualTo(seen.at() + 300_000);
        assertThat(view.start(5, 60_000)).isEqualTo(seen.at() + 900_000);
        assertThat(view.start(9, 60_000)).isEqualTo(Long.MAX_VALUE);
    }

    /** A node is free when the last job on it has ended, whatever share of it each has. */
    @Test
    void sharedNodesAreTakenUntilTheLastLimit() {
        SlurmSnapshot seen = Texts.snapshot(running(1, "n[1-8]", 100) + running(2, "n[1-2]", 500), EIGHT);
        assertThat(start(seen, MAIN, 6, 10)).isEqualTo(100);
        assertThat(start(seen, MAIN, 7, 10)).isEqualTo(500);
    }

    /** Two jobs of one core each share a node: 8 waiting ones need four nodes, not eight. */
    @Test
    void smallJobsShareNodes() {
        StringBuilder queue = new StringBuilder(running(1, "n[1-8]", 100));
        for (int id = 2; id < 10; id++) {
            queue.append(waiting(id, 1, "10:00", "Priority", "(null)").replace("|NO|", "|OK|"));
        }
        SlurmSnapshot seen = Texts.snapshot(queue.toString(), EIGHT);
        assertThat(start(seen, MAIN, 4, 10)).isEqualTo(100);
        assertThat(start(seen, MAIN, 5, 10)).isEqualTo(700);
    }

    /** A long queue is not run forward: 300 jobs of 8 nodes × 1 min one after the other, the last after the first, then ours. */
    @Test
    void aLongQueueWithDependents() {
        StringBuilder queue = new StringBuilder(running(1, "n[1-8]", 100));
        for (int id = 2; id <= 300; id++) {
            queue.append(waiting(id, 8, "1:00", "Priority", "(null)"));
        }
        queue.append(waiting(301, 8, "1:00", "Dependency", "afterany:2(unfulfilled)"));
        SlurmSnapshot seen = Texts.snapshot(queue.toString(), EIGHT);
        assertThat(start(seen, MAIN, 8, 10)).isEqualTo(100 + 300 * 60);
    }

    @Test
    void heldJobsAndThoseInReservationsDoNotCompete() {
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 8, "10:00", "JobHeldAdmin", "(null)")
                + waiting(3, 8, "10:00", "Reservation", "(null)").replace("||(null)|you", "||maint|you")
                + waiting(4, 8, "10:00", "PartitionTimeLimit", "(null)");
        assertThat(start(Texts.snapshot(queue, EIGHT), MAIN, 8, 1)).isEqualTo(100);
    }

    /** Job 3 waits for job 2, which runs from 100 to 400; 3 comes before us as soon as it may. */
    @Test
    void dependentsAreEligibleWhenTheirPredecessorHasEnded() {
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 8, "5:00", "Resources", "(null)")
                + waiting(3, 8, "10:00", "Dependency", "afterok:2(unfulfilled)")
                + waiting(4, 1, "1:00:00", "Dependency", "afterany:1(unfulfilled)");
        SlurmSnapshot seen = Texts.snapshot(queue, EIGHT);
        // 2 from 100 to 400, then 3, which stands before 4, to 1000, then 4 on one node to 4600.
        assertThat(start(seen, MAIN, 7, 10)).isEqualTo(1_000);
        assertThat(start(seen, MAIN, 8, 10)).isEqualTo(4_600);
        assertThat(new QueueModel(seen, MAIN).unmodelledShare()).isZero();
    }

    @Test
    void whatIsNotSeenOrUnderstoodIsNotModelled() {
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
    void tasksOfAnArrayOneAtATime() {
        String running = running(11, "n1", 100).replace("11|11|", "11|7_1|");
        String tasks = waiting(7, 1, "1:00", "JobArrayTaskLimit", "(null)").replace("|7|PENDING", "|7_[2-4%1]|PENDING");
        SlurmSnapshot seen = Texts.snapshot(running + tasks, EIGHT.replace("mixed", "idle"));
        assertThat(new QueueModel(seen, MAIN).queued()).isEqualTo(3);
        // 100 to 160, 160 to 220, 220 to 280 on one node each: eight nodes at once only before or after.
        assertThat(start(seen, MAIN, 8, 10)).isEqualTo(280);
        assertThat(start(seen, MAIN, 7, 10)).isZero();
    }

    /**
     * Nodes 5 to 8 are ours from 1000 s to 5000 s. Node 5 is taken until 1600 s; of two jobs that wait only the one in the reservation stands before us, on two nodes until
     * 1600 s. So 1 node is there at 1000 s, 2 at 1600 s after that job, and what would end after 5000 s never starts.
     */
    @Test
    void aReservationOfOursHasItsOwnNodesQueueAndEnd() {
        String queue = Texts.running(1, "n5", 1_600)
                + Texts.running(2, "n[1-4]", 9_000)
                + waiting(3, 8, "2:00:00", "Resources", "(null)")
                + waiting(4, 2, "10:00", "Reservation", "(null)").replace("||(null)|you", "||ours|you");
        String reservation = "ReservationName=ours StartTime=" + (Texts.AT / 1000 + 1_000) + " EndTime="
                + (Texts.AT / 1000 + 5_000) + " Nodes=n[5-8] Users=me\n";
        SlurmSnapshot seen = Texts.snapshot(queue, EIGHT, reservation, Map.of());
        QueueModel.SubmissionTarget ours = new QueueModel.SubmissionTarget(
                "main", Set.of(), QueueModel.SubmissionTarget.LAST, "ours", Pools.NONE, 0);
        assertThat(new QueueModel(seen, ours).nodes().size()).isEqualTo(4);
        assertThat(start(seen, ours, 1, 10)).isEqualTo(1_000);
        assertThat(start(seen, ours, 2, 10)).isEqualTo(1_600);
        assertThat(start(seen, ours, 4, 50)).isEqualTo(1_600);
        assertThat(start(seen, ours, 4, 60)).isEqualTo(-1);
        assertThat(start(seen, ours, 5, 10)).isEqualTo(-1);
        assertThatThrownBy(() -> new QueueModel(
                        seen,
                        new QueueModel.SubmissionTarget(
                                "main", Set.of(), QueueModel.SubmissionTarget.LAST, "theirs", Pools.NONE, 0)))
                .hasMessageContaining("no reservation 'theirs'");
    }

    @Test
    void drainedNodesAreNoneAndReservationsKeepNodes() {
        String nodes = """
                main*|up|infinite|idle|2|NO|(null)|n[1-6]
                main*|up|infinite|drained|2|NO|(null)|n7
                main*|up|infinite|down*|2|NO|(null)|n8
                """;
        String maintenance = "ReservationName=m StartTime=" + (Texts.AT / 1000 + 1_000) + " EndTime="
                + (Texts.AT / 1000 + 2_000) + " Nodes=n[5-8]";
        SlurmSnapshot seen = Texts.snapshot("", nodes, maintenance, Map.of());
        assertThat(start(seen, MAIN, 6, 10)).isZero();
        assertThat(start(seen, MAIN, 7, 10)).isEqualTo(-1);
        assertThat(start(seen, MAIN, 4, 60)).isZero();
        assertThat(start(seen, MAIN, 5, 60)).isEqualTo(2_000);
        assertThat(new QueueModel(seen, MAIN).nodes().out()).isEqualTo(2);
    }

    /** 4 of 8 nodes are also in partition small; a job there counts in main, one of main counts half in small. */
    @Test
    void overlappingPartitions() {
        String nodes =
                "main*|up|infinite|allocated|2|NO|(null)|n[1-8]\nsmall|up|infinite|allocated|2|NO|(null)|n[1-4]\n";
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 4, "10:00", "Priority", "(null)").replace("|main|", "|small|")
                + waiting(3, 2, "20:00", "Priority", "(null)");
        SlurmSnapshot seen = Texts.snapshot(queue, nodes);
        assertThat(start(seen, MAIN, 2, 10)).isEqualTo(100);
        assertThat(start(seen, MAIN, 3, 10)).isEqualTo(700);
        // In small: job 2 takes all 4 until 700, then one of the two nodes of job 3 until 1900.
        assertThat(start(seen, Texts.target("small"), 3, 10)).isEqualTo(700);
        assertThat(start(seen, Texts.target("small"), 4, 10)).isEqualTo(1_900);
    }

    /** Left has n1 to n4, right n3 to n6: a job of one takes nodes that the other counts, and each has its limit. */
    @Test
    void partitionsAsPools() {
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
        SlurmSnapshot seen = Texts.snapshot(queue, nodes);
        QueueModel model = new QueueModel(
                seen,
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
    void jobsOfLowerPriorityAreBehindUs() {
        String queue = running(1, "n[1-8]", 100)
                + waiting(2, 8, "10:00", "Priority", "(null)")
                + waiting(3, 8, "10:00", "Priority", "(null)");
        SlurmSnapshot seen = Texts.snapshot(queue, EIGHT);
        assertThat(start(seen, Texts.target("main", 99_998), 8, 10)).isEqualTo(700);
        assertThat(start(seen, Texts.target("main", 99_999), 8, 10)).isEqualTo(100);
    }

    /** Other users' jobs are hidden: 4 of 8 nodes are allocated, by limits of an hour, spread evenly. */
    @Test
    void hiddenJobsAreInferredFromTheirNodes() {
        String nodes = "main*|up|1:00:00|allocated|2|NO|(null)|n[1-4]\nmain*|up|1:00:00|idle|2|NO|(null)|n[5-8]\n";
        SlurmSnapshot seen = Texts.snapshot("", nodes, "", Map.of("PrivateData", "jobs"));
        assertThat(start(seen, MAIN, 4, 10)).isZero();
        assertThat(start(seen, MAIN, 5, 10)).isEqualTo(900);
        assertThat(start(seen, MAIN, 8, 10)).isEqualTo(3_600);
        assertThat(start(seen, MAIN, 1, 61)).isEqualTo(-1);
        assertThat(new QueueModel(seen, MAIN).unmodelledShare()).isNaN();
    }

    /** 4 of 8 nodes are used by hidden jobs. A short job starts now: what is queued needs 5 nodes or more, which are free only when a hidden job has ended. */
    @Test
    void aShortJobStartsOnIdleNodesAheadOfHiddenOnes(@TempDir Path folder) {
        String nodes = "main*|up|1:00:00|allocated|2|NO|(null)|n[1-4]\nmain*|up|1:00:00|idle|2|NO|(null)|n[5-8]\n";
        SlurmSnapshot seen = Texts.snapshot("", nodes, "", Map.of("PrivateData", "jobs"));
        EndedJobs none = new EndedJobs(SlurmCommands.runner(folder, Reach.here(Map.of()), 1_000), folder);
        Quantiles brief = drawn(seen, none, 4, 1);
        // Four hidden jobs all last longer than a minute in 59/60 to the 4th of the samples: 93 %.
        assertThat(brief.median()).isZero();
        assertThat(brief.low90()).isZero();
        Quantiles wide = drawn(seen, none, 5, 1);
        assertThat(wide.low90()).isPositive();
        assertThat(wide.high90()).isGreaterThan(1_800_000);
    }

    private static Quantiles drawn(SlurmSnapshot seen, EndedJobs ended, int nodes, int minutes) {
        StartQuery query = StartQuery.of(seen.at(), 0, nodes, minutes * 60_000L);
        return Objects.requireNonNull(SampledStarts.drawn(seen, draw -> MAIN, ended, query, 101));
    }

    /** A job runs on all nodes of a lower tier and is preempted after a grace of 20 s; jobs of its own tier wait for its end. */
    @Test
    void jobsOfLowerTiersArePreempted() {
        String low = "PartitionName=main PriorityTier=1 PreemptMode=CANCEL GraceTime=20\n";
        String high = "PartitionName=high PriorityTier=10 PreemptMode=OFF GraceTime=0\n";
        Map<String, String> config = Map.of("PreemptType", "preempt/partition_prio");
        String nodes = EIGHT + EIGHT.replace("main*", "high");
        SlurmSnapshot seen = Texts.snapshot(running(1, "n[1-8]", 500), nodes);
        assertThat(start(tiers(seen, low + high, config), Texts.target("high"), 8, 10))
                .isEqualTo(20);
        assertThat(start(tiers(seen, low + high, config), MAIN, 8, 10)).isEqualTo(500);
        assertThat(start(tiers(seen, low + high, Map.of()), Texts.target("high"), 8, 10))
                .isEqualTo(500);
        assertThat(start(tiers(seen, low.replace("CANCEL", "OFF") + high, config), Texts.target("high"), 8, 10))
                .isEqualTo(500);
    }

    /** A job of QOS low runs on all nodes; jobs of high preempt it after a grace of 20 s, those of its own QOS wait for its end. Tiers of partitions do not matter. */
    @Test
    void jobsOfALowerQualityArePreempted() {
        SlurmSnapshot seen = Texts.snapshot(running(1, "n[1-8]", 500).replace("|normal|", "|low|"), EIGHT);
        assertThat(start(qualities(seen, "REQUEUE", "high"), MAIN, 8, 10)).isEqualTo(20);
        assertThat(start(qualities(seen, "REQUEUE", "low"), MAIN, 8, 10)).isEqualTo(500);
        assertThat(start(qualities(seen, "REQUEUE", "high,low"), MAIN, 8, 10))
                .as("either QOS")
                .isEqualTo(500);
        assertThat(start(qualities(seen, "OFF", "high"), MAIN, 8, 10)).isEqualTo(500);
    }

    private static SlurmSnapshot qualities(SlurmSnapshot seen, String mode, String ours) {
        Map<String, String> config = Map.of("PreemptType", "preempt/qos", "PreemptMode", mode);
        String table = "normal||cluster|00:00:00\nlow||cluster|00:00:20\nhigh|low,normal|cluster|00:00:00\n";
        Map<String, Long> preempted = QualityPreemption.read(table, config).by(List.of(ours.split(",")));
        return new SlurmSnapshot(
                seen.at(),
                seen.user(),
                seen.jobs(),
                seen.nodes(),
                seen.reservations(),
                PartitionTiers.read(List.of(), config, preempted),
                config,
                seen.limits(),
                0,
                List.of(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
    }

    private static SlurmSnapshot tiers(SlurmSnapshot seen, String partitions, Map<String, String> config) {
        return new SlurmSnapshot(
                seen.at(),
                seen.user(),
                seen.jobs(),
                seen.nodes(),
                seen.reservations(),
                PartitionTiers.read(SlurmPartition.read(partitions), config, Map.of()),
                config,
                seen.limits(),
                0,
                List.of(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
    }

    /** Two our jobs run; two is what we may. */
    @Test
    void ownLimitsCount() {
        String queue = running(1, "n1", 100).replace("|you|", "|me|")
                + running(2, "n2", 200).replace("|you|", "|me|");
        SlurmSnapshot seen = Texts.snapshot(queue, EIGHT.replace("mixed", "idle"));
        SlurmSnapshot limited = new SlurmSnapshot(
                seen.at(),
                seen.user(),
                seen.jobs(),
                seen.nodes(),
                seen.reservations(),
                seen.tiers(),
                seen.config(),
                Texts.limits(2, 9, 4, 3, Limit.UNLIMITED),
                0,
                seen.problems(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
        assertThat(start(seen, MAIN, 1, 10)).isZero();
        assertThat(start(limited, MAIN, 1, 10)).isEqualTo(100);
        assertThat(start(limited, MAIN, 3, 10))
                .as("two and three are more than four")
                .isEqualTo(100);
        assertThat(start(limited, MAIN, 4, 10)).as("a job may have three").isEqualTo(-1);
        assertThat(new QueueModel(seen, MAIN).limits()).isEqualTo(JobLimits.NONE);
        assertThat(new QueueModel(limited, MAIN).limits()).isEqualTo(new JobLimits(3, Long.MAX_VALUE));
    }

    /** A job of ours runs on a node of two cores for five minutes. */
    @Test
    void ownLimitsOfCoresAndOfMinutesCount() {
        SlurmSnapshot seen =
                Texts.snapshot(running(1, "n1", 300).replace("|you|", "|me|"), EIGHT.replace("mixed", "idle"));
        String quality = "normal||||||||cpu=7||cpu=20||cpu=24|\n";
        SlurmSnapshot limited = new SlurmSnapshot(
                seen.at(),
                seen.user(),
                seen.jobs(),
                seen.nodes(),
                seen.reservations(),
                seen.tiers(),
                seen.config(),
                OwnLimits.ofQuality(quality, "normal"),
                0,
                seen.problems(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
        QueueModel model = new QueueModel(limited, MAIN);
        // 7 cores are 3 nodes, 20 core-minutes 10 node-minutes.
        assertThat(model.limits()).isEqualTo(new JobLimits(3, 600_000, 600_000, 0));
        assertThat(model.limits().walltime(3)).isEqualTo(180_000);
        assertThat(start(limited, MAIN, 4, 1)).as("four nodes").isEqualTo(-1);
        assertThat(start(limited, MAIN, 3, 1)).as("two cores are in use").isEqualTo(300);
        assertThat(start(limited, MAIN, 2, 1)).as("10 + 4 core-minutes").isZero();
        assertThat(start(limited, MAIN, 2, 3)).as("10 + 12 core-minutes").isEqualTo(300);
        assertThat(start(limited, MAIN, 2, 6)).as("24 core-minutes").isEqualTo(-1);
    }

    /**
     * n1–n2 have 64 GiB, n3–n8 16 GiB. n1 runs until 100 s, n2 until 200 s; two waiting nodes × 10 min need 40 GiB, one with 8 GiB fits on n3.
     * So one node of 32 GiB is free from 800 s on, two at the same time; of 8 GiB five are free now.
     */
    @Test
    void jobsWaitForNodesWithTheirMemory() {
        SlurmSnapshot plain = Texts.snapshot(
                running(1, "n1", 100)
                        + running(2, "n2", 200)
                        + waiting(3, 2, "10:00", "Resources", "(null)")
                        + waiting(4, 1, "10:00", "Resources", "(null)"),
                "main*|up|infinite|allocated|2|NO|(null)|n[1-2]\nmain*|up|infinite|idle|2|NO|(null)|n[3-8]\n");
        SlurmSnapshot seen = Texts.counting(
                plain,
                new SlurmMemory(
                        SlurmMemory.nodes(HostResources.read("""
                                n1|2|65536|
                                n2|2|65536|
                                n3|2|16384|
                                n4|2|16384|
                                n5|2|16384|
                                n6|2|16384|
                                n7|2|16384|
                                n8|2|16384|
                                """)),
                        SlurmMemory.jobs(
                                "1  cpu=2,mem=1G,node=1\n3   cpu=4,mem=80G,node=2,billing=4\n4 cpu=2,mem=8G,node=1\n"),
                        Map.of(),
                        Map.of()),
                SlurmPriority.BASIC);
        QueueModel model = new QueueModel(seen, MAIN);
        assertThat(startWith(model, 1, 32)).isEqualTo(800);
        assertThat(startWith(model, 2, 64)).isEqualTo(800);
        assertThat(startWith(model, 3, 32)).as("three such nodes do not exist").isEqualTo(-1);
        assertThat(startWith(model, 1, 65)).isEqualTo(-1);
        assertThat(startWith(model, 5, 8)).isZero();
        assertThat(startWith(model, 6, 8))
                .as("behind the queued jobs, on any nodes")
                .isEqualTo(600);
        assertThat(startWith(new QueueModel(plain, MAIN), 1, 32))
                .as("where memory is not counted")
                .isZero();
    }

    /** A queued job of one core with 12 of 16 GiB fills a node: eight of them fill eight nodes, not four. */
    @Test
    void memoryFillsNodes() {
        StringBuilder queue = new StringBuilder(running(1, "n[1-8]", 100));
        StringBuilder memory = new StringBuilder();
        StringBuilder nodes = new StringBuilder();
        for (int i = 2; i < 10; i++) {
            queue.append(waiting(i, 1, "10:00", "Resources", "(null)").replace("|1|1|NO|", "|1|1|OK|"));
            memory.append(i).append(" cpu=1,mem=12G,node=1\n");
            nodes.append("n").append(i - 1).append("|2|16384|\n");
        }
        SlurmSnapshot plain = Texts.snapshot(queue.toString(), EIGHT);
        SlurmSnapshot seen = Texts.counting(
                plain,
                new SlurmMemory(
                        SlurmMemory.nodes(HostResources.read(nodes.toString())),
                        SlurmMemory.jobs(memory.toString()),
                        Map.of(),
                        Map.of()),
                SlurmPriority.BASIC);
        assertThat(startWith(new QueueModel(plain, MAIN), 4, 0)).isEqualTo(100);
        assertThat(startWith(new QueueModel(seen, MAIN), 4, 0)).isEqualTo(700);
    }

    /**
     * n1–n2 have two GPUs each. Three queued jobs of one core with two a100 each wait for these nodes: two start at 100 s, the third at 700 s, so that all of n1–n2 are free at 1300 s. Nodes without
     * GPUs are free after 100 s, since no such job waits for them. With one GPU each, two jobs share a node and the third is beside them.
     */
    @Test
    void jobsWaitForNodesWithTheirGpus() {
        assertThat(startBehindGpus(2, 1)).isEqualTo(700);
        assertThat(startBehindGpus(2, 2)).isEqualTo(1300);
        assertThat(startBehindGpus(1, 2)).isEqualTo(700);
        assertThat(startBehindGpus(3, 2))
                .as("no node has three, so no such job starts")
                .isEqualTo(100);
    }

    /** The start of a job of ten minutes on some nodes with GPUs, behind three jobs with some GPUs each, in seconds from now. */
    private static long startBehindGpus(int each, int wanted) {
        StringBuilder queue = new StringBuilder(running(1, "n[1-8]", 100));
        StringBuilder printed = new StringBuilder("1 cpu=16,node=8 N/A N/A\n");
        for (int i = 2; i < 5; i++) {
            queue.append(waiting(i, 1, "10:00", "Resources", "(null)").replace("|1|1|NO|", "|1|1|OK|"));
            printed.append(i)
                    .append(" cpu=1,node=1 N/A gres/gpu:a100:")
                    .append(each)
                    .append('\n');
        }
        StringBuilder nodes = new StringBuilder();
        for (int i = 1; i <= 8; i++) {
            nodes.append("n").append(i).append("|8|16384|").append(i < 3 ? "gpu:a100:2\n" : "\n");
        }
        Map<String, Resources> hosts = HostResources.read(nodes.toString());
        SlurmSnapshot seen = Texts.counting(
                Texts.snapshot(queue.toString(), EIGHT),
                new SlurmMemory(Map.of(), Map.of(), hosts, SlurmMemory.gpus(printed.toString())),
                SlurmPriority.BASIC);
        Pool plain = Pool.of("main", 0, 8, JobLimits.NONE).on(Resources.node(8, 1 << 30, 0));
        Pool typed = Pool.of("main:gpu", 0, 2, JobLimits.NONE)
                .on(Resources.node(8, 1 << 30, 2).named(NamedAmounts.of(Map.of("gpu:a100", 2L))));
        QueueModel model = new QueueModel(
                seen,
                new QueueModel.SubmissionTarget(
                        "main", Set.of(), QueueModel.SubmissionTarget.LAST, "", Pools.of(List.of(plain, typed)), 0));
        assertThat(Texts.starts(model, Texts.AT, 1, new int[] {6}, new long[] {600_000})[0])
                .as("nodes without GPUs are free when the running job ends")
                .isEqualTo(Texts.AT + 100_000);
        return (Texts.starts(model, Texts.AT, 2, new int[] {wanted}, new long[] {600_000})[0] - Texts.AT) / 1000;
    }

    @Test
    void readsTheGpusOfJobs() {
        assertThat(SlurmMemory.gpus("""
                        7 cpu=4,node=2,gres/gpu=4,gres/gpu:a100=4 gres:gpu:4 N/A
                        8 cpu=1,mem=1G,node=1 N/A gres:gpu:v100:1,gres:craynetwork:1
                        9 cpu=1,node=1 gres/gpu N/A
                        10 cpu=1 N/A N/A N/A 1
                        11 cpu=8,node=2 N/A N/A gres:gpu:1 4
                        x
                        """))
                .isEqualTo(Map.of(
                        7L,
                        Resources.ONE_CORE.gpus(2).named(NamedAmounts.of(Map.of("gpu:a100", 2L))),
                        8L,
                        Resources.ONE_CORE.gpus(1).named(NamedAmounts.of(Map.of("gpu:v100", 1L))),
                        9L,
                        Resources.ONE_CORE.gpus(1),
                        11L,
                        Resources.ONE_CORE.gpus(2)));
        assertThat(SlurmMemory.withoutGpus("gres:gpu:v100:1,gres:craynetwork:1"))
                .isEqualTo(",gres:craynetwork:1");
        assertThat(SlurmMemory.withoutGpus("gres/gpu:2")).isEmpty();
    }

    @Test
    void readsWhatSlurmPrintsOfMemory() {
        assertThat(SlurmMemory.nodes(HostResources.read("n1|4|2000|(null)\n\nn2|4|6000+|x\nmain*|up\nn3|4|100|\n")))
                .isEqualTo(Map.of("n1", 2000L << 20));
        assertThat(HostResources.read("n1|4|2000|gpu:a100:2(S:0-1),gpu:1g.5gb:3,craynetwork:1\n"))
                .isEqualTo(Map.of(
                        "n1",
                        Resources.node(4, 1744L << 20, 5)
                                .named(NamedAmounts.of(Map.of("gpu:a100", 2L, "gpu:1g.5gb", 3L)))));
        assertThat(SlurmMemory.jobs(
                        "7 cpu=1,mem=1.50G,node=1,billing=1\n8 mem=512M\n9 cpu=1,node=1\n10 mem=x\n11 N/A\n"))
                .isEqualTo(Map.of(7L, 3L << 29, 8L, 512L << 20));
        assertThat(SlurmMemory.isCounted(Map.of("SelectTypeParameters", "CR_CORE_MEMORY")))
                .isTrue();
        assertThat(SlurmMemory.isCounted(Map.of("SelectTypeParameters", "CR_CORE")))
                .isFalse();
    }

    /** The start of a job of ten minutes with memory on each node in GiB, in seconds from now; −1 if it never starts. */
    private static long startWith(QueueModel model, int nodes, long gibibytes) {
        long start = model.estimator()
                .estimate(StartQuery.of(Texts.AT, 0, nodes, 600_000).needing(gibibytes << 30))
                .job(0);
        return start == StartTimes.NEVER ? -1 : (start - Texts.AT) / 1000;
    }

    @Test
    void aPartitionWithoutNodesIsRefused() {
        SlurmSnapshot seen = Texts.snapshot("", "main*|up|infinite|drained|2|NO|(null)|n[1-8]\n");
        assertThatThrownBy(() -> new QueueModel(seen, MAIN))
                .isInstanceOf(InputException.class)
                .hasMessage("partition main has no node that takes jobs");
        assertThatThrownBy(() -> new QueueModel(seen, Texts.target("mein")))
                .hasMessage("there is no partition 'mein'; partitions: main");
    }
}
