package io.sheaf.slurm.whatif;

import static io.sheaf.slurm.whatif.Texts.running;
import static io.sheaf.slurm.whatif.Texts.start;
import static io.sheaf.slurm.whatif.Texts.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.predict.StartQuery;
import io.sheaf.predict.StartTimes;
import io.sheaf.workflow.NamedAmounts;
import io.sheaf.workflow.Resources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Limits of the own user, memory and GPUs in a snapshot in the batch engine, compared with results by hand: 8 nodes of
 * 2 cores unless stated otherwise.
 */
class QueueModelResourcesTest {
    private static final String EIGHT = Texts.EIGHT;
    private static final QueueModel.SubmissionTarget MAIN = Texts.target("");

    /** Two own jobs run, and two are allowed. */
    @Test
    void ownLimitsCount() {
        String queue = running(1, "n1", 100).replace("|you|", "|me|")
                + running(2, "n2", 200).replace("|you|", "|me|");
        SlurmSnapshot snapshot = Texts.snapshot(queue, EIGHT.replace("mixed", "idle"));
        SlurmSnapshot limited = limited(snapshot, Texts.limits(2, 9, 4, 3, Limit.UNLIMITED));
        assertThat(start(snapshot, MAIN, 1, 10)).isZero();
        assertThat(start(limited, MAIN, 1, 10)).isEqualTo(100);
        assertThat(start(limited, MAIN, 3, 10))
                .as("two and three are more than four")
                .isEqualTo(100);
        assertThat(start(limited, MAIN, 4, 10)).as("a job may have three").isEqualTo(-1);
        assertThat(new QueueModel(snapshot, MAIN).limits()).isEqualTo(JobLimits.NONE);
        assertThat(new QueueModel(limited, MAIN).limits()).isEqualTo(new JobLimits(3, Long.MAX_VALUE));
    }

    /** Two own jobs run, of which the first has no time limit, and two are allowed. */
    @Test
    void ownJobsWithoutALimitCountUntilTheyEnd() {
        String queue =
                running(1, "n1", 100).replace("|" + (Texts.AT / 1000 + 100) + "|", "|N/A|") + running(2, "n2", 200);
        SlurmSnapshot snapshot = Texts.snapshot(queue.replace("|you|", "|me|"), EIGHT.replace("mixed", "idle"));
        OwnLimits two = Texts.limits(2, 9, 9, 9, Limit.UNLIMITED);
        assertThat(start(limited(snapshot, two), MAIN, 1, 10)).isEqualTo(200);
        OwnLimits tenNodeMinutes = OwnLimits.ofQuality("normal||||||||||node=10|\n", "normal");
        assertThat(start(limited(snapshot, tenNodeMinutes), MAIN, 1, 1)).isGreaterThan(1_000_000);
    }

    private static SlurmSnapshot limited(SlurmSnapshot snapshot, OwnLimits limits) {
        return new SlurmSnapshot(
                snapshot.at(),
                snapshot.user(),
                snapshot.jobs(),
                snapshot.nodes(),
                snapshot.reservations(),
                snapshot.tiers(),
                snapshot.config(),
                limits,
                0,
                snapshot.problems(),
                SlurmMemory.UNCOUNTED,
                SlurmPriority.BASIC);
    }

    /** An own job runs on a node of two cores for five minutes. */
    @Test
    void ownLimitsOfCoresAndOfMinutesCount() {
        SlurmSnapshot snapshot =
                Texts.snapshot(running(1, "n1", 300).replace("|you|", "|me|"), EIGHT.replace("mixed", "idle"));
        String quality = "normal||||||||cpu=7||cpu=20||cpu=24|\n";
        SlurmSnapshot limited = limited(snapshot, OwnLimits.ofQuality(quality, "normal"));
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
        SlurmSnapshot snapshot = Texts.counting(
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
        QueueModel model = new QueueModel(snapshot, MAIN);
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
        SlurmSnapshot snapshot = Texts.counting(
                plain,
                new SlurmMemory(
                        SlurmMemory.nodes(HostResources.read(nodes.toString())),
                        SlurmMemory.jobs(memory.toString()),
                        Map.of(),
                        Map.of()),
                SlurmPriority.BASIC);
        assertThat(startWith(new QueueModel(plain, MAIN), 4, 0)).isEqualTo(100);
        assertThat(startWith(new QueueModel(snapshot, MAIN), 4, 0)).isEqualTo(700);
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
    private static long startBehindGpus(int each, int units) {
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
        SlurmSnapshot snapshot = Texts.counting(
                Texts.snapshot(queue.toString(), EIGHT),
                new SlurmMemory(Map.of(), Map.of(), hosts, SlurmMemory.gpus(printed.toString())),
                SlurmPriority.BASIC);
        Pool plain = Pool.of("main", 0, 8, JobLimits.NONE).on(Resources.node(8, 1 << 30, 0));
        Pool typed = Pool.of("main:gpu", 0, 2, JobLimits.NONE)
                .on(Resources.node(8, 1 << 30, 2).named(NamedAmounts.of(Map.of("gpu:a100", 2L))));
        QueueModel model = new QueueModel(
                snapshot,
                new QueueModel.SubmissionTarget(
                        "main", Set.of(), QueueModel.SubmissionTarget.LAST, "", Pools.of(List.of(plain, typed)), 0));
        assertThat(Texts.starts(model, Texts.AT, 1, new int[] {6}, new long[] {600_000})[0])
                .as("nodes without GPUs are free when the running job ends")
                .isEqualTo(Texts.AT + 100_000);
        return (Texts.starts(model, Texts.AT, 2, new int[] {units}, new long[] {600_000})[0] - Texts.AT) / 1000;
    }

    @Test
    void gpusOfJobsAreParsed() {
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
    void memoryOfNodesAndJobsIsParsed() {
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
}
