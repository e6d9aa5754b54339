package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.batch.Pool;
import io.sheaf.batch.Pools;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealCluster;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.RecordedSlurm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * On a real, busy Slurm jobs start when the engine, loaded with a snapshot, predicts it. Each test has a cluster of its
 * own and mostly waits for it; the longest starts first.
 */
@Execution(ExecutionMode.CONCURRENT)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(1200)
class PredictedStartsIT {
    /** The speed of the cluster's clock, as a multiple of ours. */
    private static final int SPEED = 20;

    /**
     * Nodes and minutes of jobs on 8 nodes, of which 5 are allocated for 3 minutes and 3 for 5, and the minute at which
     * each starts. Backfilled jobs have a minute to spare, since a slot that fits to the second may be missed by
     * chance.
     */
    private static final int[][] SHORT_JOBS = {
        {8, 1, 5},
        {4, 1, 3},
        {1, 1, 3},
        {2, 3, 6},
        {6, 4, 6},
    };

    /** The same with 5 nodes allocated for 6 minutes and 3 for 9. */
    private static final int[][] JOBS = {
        {8, 4, 9},
        {4, 2, 6},
        {1, 2, 6},
        {2, 5, 13},
        {6, 7, 13},
        {2, 3, 18},
        {8, 2, 21},
        {3, 3, 23},
        {5, 2, 23},
        {1, 2, 25},
        {4, 4, 25},
    };

    @TempDir
    Path folder = Path.of("");

    private static CommandRunner commands(RealSlurm slurm) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(slurm.environment());
        return SlurmCommands.runner(null, Reach.here(environment), CommandRunner.LIMIT_MILLIS);
    }

    private static long now(RealSlurm slurm) {
        return 1000 * Long.parseLong(slurm.query("date", "+%s"));
    }

    /** A job that uses its request but for a few seconds. */
    private static String submit(RealSlurm slurm, int nodes, int minutes, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch", "--parsable", "--exclusive", "-N", "" + nodes, "-t", "" + minutes, "-o", "/dev/null"));
        words.addAll(List.of(options));
        words.addAll(List.of("--wrap", "sleep " + (minutes * 60 - 5)));
        return slurm.query(words.toArray(String[]::new));
    }

    @Test
    @Order(1)
    void jobsStartWhenPredicted() throws Exception {
        assertStarts(3, 5, SHORT_JOBS);
    }

    @Test
    @Tag("slow")
    void moreJobsStartWhenPredicted() throws Exception {
        assertStarts(6, 9, JOBS);
    }

    /** Each job is predicted just before it is submitted; later jobs do not delay it, and no job ends early. */
    private static void assertStarts(int firstMinutes, int secondMinutes, int[][] jobs) throws Exception {
        try (RealSlurm slurm = RealSlurm.start(RealSlurm.SlurmShape.of(8).speed(SPEED))) {
            SnapshotReader reader =
                    new SnapshotReader(commands(slurm), "root", Submissions.of(List.of(), Map.of(), 0), null);
            Map<String, Long> predicted = new HashMap<>();
            submit(slurm, 5, firstMinutes);
            submit(slurm, 3, secondMinutes);
            long begun = now(slurm);
            for (int[] job : jobs) {
                long now = now(slurm);
                SlurmSnapshot snapshot = reader.read(now);
                assertThat(snapshot.problems()).isEmpty();
                QueueModel model = new QueueModel(snapshot, Texts.target(""));
                assertThat(model.unmodelledShare()).isZero();
                long[] out = Texts.starts(model, now, new int[] {job[0]}, new long[] {job[1] * 60_000L});
                assertThat((out[0] - begun) / 60_000.0)
                        .as("%d nodes × %d min", job[0], job[1])
                        .isCloseTo(job[2], within(0.5));
                predicted.put(submit(slurm, job[0], job[1]), out[0]);
            }
            Map<String, Long> actual = actualStarts(slurm, jobs.length + 2);
            List<Long> errors = new ArrayList<>();
            predicted.forEach((job, start) -> {
                Long observed = actual.get(job);
                assertThat(observed).as("start of job %s", job).isNotNull();
                errors.add((observed == null ? 0 : observed - start) / 1000);
            });
            assertThat(errors).as("seconds later than predicted").allMatch(error -> Math.abs(error) <= 60);
        }
    }

    /** The jobs of three pools, of which the third shares nodes with both others: each is predicted just before it is submitted. */
    @Test
    @Tag("slow")
    @Order(1)
    void jobsInPoolsStartWhenPredicted() throws Exception {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(8)
                .speed(SPEED)
                .conf(
                        "PartitionName=left Nodes=n[1-4] Default=YES MaxTime=20 State=UP",
                        "PartitionName=right Nodes=n[5-8] MaxTime=60 State=UP",
                        "PartitionName=wide Nodes=n[3-6] MaxTime=10 State=UP");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            CommandRunner commands = commands(slurm);
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(slurm.environment());
            Pools pools = new SlurmCommands(Reach.here(environment)).pools(List.of(), 1, true);
            assertThat(pools.all().stream().map(Pool::name)).containsExactly("left", "right", "wide");
            assertThat(pools.pool(3).limits().walltime()).isEqualTo(600_000);
            Submissions submissions = Submissions.of(List.of(), Map.of(), 0).in(pools);
            SnapshotReader reader = new SnapshotReader(commands, "root", submissions, null);
            Map<String, Long> predicted = new HashMap<>();
            submit(slurm, 3, 6, "-p", "left");
            submit(slurm, 2, 4, "-p", "right");
            int[][] jobs = {{1, 2, 4}, {2, 3, 5}, {3, 4, 3}, {3, 2, 2}, {1, 4, 3}, {3, 1, 2}};
            for (int[] job : jobs) {
                long now = now(slurm);
                SlurmSnapshot snapshot = reader.read(now);
                QueueModel model = new QueueModel(snapshot, SnapshotEstimator.where(snapshot, submissions));
                long[] out = Texts.starts(model, now, job[0], new int[] {job[1]}, new long[] {job[2] * 60_000L});
                String submitted = submit(slurm, job[1], job[2], "-p", pools.name(job[0]));
                predicted.put(submitted, out[0]);
            }
            Map<String, Long> actual = actualStarts(slurm, jobs.length + 2);
            List<Long> errors = new ArrayList<>();
            predicted.forEach((job, start) -> errors.add((actual.getOrDefault(job, 0L) - start) / 1000));
            assertThat(errors).as("seconds later than predicted").allMatch(error -> Math.abs(error) <= 60);
        }
    }

    /** Waits until no job is queued, and reads the starts that Slurm remembers. */
    private static Map<String, Long> actualStarts(RealSlurm slurm, int jobs) throws InterruptedException {
        Await.until("the queue is empty", () -> isQueueEmpty(slurm));
        Map<String, Long> starts = new HashMap<>();
        for (Map<String, String> job :
                Scontrol.records(slurm.query("env", "SLURM_TIME_FORMAT=%s", "scontrol", "-o", "show", "job"))) {
            starts.put(job.get("JobId"), Limit.instant(job.getOrDefault("StartTime", "")));
        }
        assertThat(starts).hasSize(jobs);
        return starts;
    }

    /** One of many queries may fail: ten seconds of this clock, after which Slurm's commands give up, are short. */
    private static boolean isQueueEmpty(RealSlurm slurm) {
        RealCluster.CommandResult result = slurm.run("squeue", "-h", "-t", "PD", "-o", "%i");
        return result.status() == 0 && result.text().isEmpty();
    }

    /** Overlapping partitions, shared nodes, priorities that age, a reservation and a drained node: read without problems, and answered. */
    @Test
    void aComplexClusterIsReadWithoutProblems() throws Exception {
        RealSlurm.SlurmShape shape = new RealSlurm.SlurmShape(
                6,
                2,
                0,
                false,
                1,
                List.of(
                        "PriorityType=priority/multifactor",
                        "PriorityWeightAge=1000",
                        "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
                        "PartitionName=short Nodes=n[1-3] MaxTime=60 PriorityTier=5 State=UP"));
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            submit(slurm, 4, 30);
            slurm.query("sbatch", "-n1", "-t10", "-o", "/dev/null", "--wrap", "sleep 500");
            slurm.query("sbatch", "-N6", "-t10", "-o", "/dev/null", "--exclusive", "--wrap", "sleep 500");
            slurm.query(
                    "sbatch",
                    "-p",
                    "short,main",
                    "-N2",
                    "-t10",
                    "-o",
                    "/dev/null",
                    "--exclusive",
                    "--wrap",
                    "sleep 500");
            slurm.query(
                    "sbatch", "--array=1-9%2", "-p", "short", "-N1", "-t10", "-o", "/dev/null", "--wrap", "sleep 500");
            slurm.query("sbatch", "-d", "afterany:1", "-N1", "-t10", "-o", "/dev/null", "--wrap", "sleep 500");
            slurm.query(
                    "scontrol",
                    "create",
                    "reservation",
                    "reservationname=m",
                    "starttime=now+600minutes",
                    "duration=60",
                    "flags=maint,ignore_jobs",
                    "nodes=n6",
                    "users=root");
            slurm.query("scontrol", "update", "nodename=n6", "state=drain", "reason=test");
            Await.until(
                    "two jobs run",
                    () -> slurm.query("squeue", "-h", "-t", "R").lines().count() >= 2);
            long now = now(slurm);
            SlurmSnapshot snapshot =
                    new SnapshotReader(commands(slurm), "root", Submissions.of(List.of(), Map.of(), 0), null).read(now);
            assertThat(snapshot.problems()).isEmpty();
            assertThat(snapshot.jobs()).hasSizeGreaterThanOrEqualTo(6);
            assertThat(snapshot.tiers().tiers()).containsEntry("short", 5);
            for (String partition : List.of("main", "short")) {
                QueueModel model = new QueueModel(snapshot, Texts.target(partition));
                assertThat(model.unmodelledShare()).isBetween(0.0, 1.0);
                long[] out = Texts.starts(model, now, new int[] {1, 3}, new long[] {600_000, 600_000});
                assertThat(out[0]).isBetween(now, now + 100L * 3_600_000);
                assertThat(out[1]).isGreaterThanOrEqualTo(out[0]);
            }
            assertThat(new QueueModel(snapshot, Texts.target("main")).nodes().out())
                    .isEqualTo(1);
        }
    }

    /** A job of QOS low has all nodes for five minutes. Jobs of QOS high preempt it after its grace of 10 s; those of QOS normal wait for its end. */
    @Test
    @Tag("slow")
    void aJobPreemptsJobsOfALowerQos() throws Exception {
        RealSlurm.SlurmShape shape =
                RealSlurm.SlurmShape.of(2).withDatabase().conf("PreemptType=preempt/qos", "PreemptMode=CANCEL");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            slurm.query("sacctmgr", "-i", "add", "qos", "low", "GraceTime=10");
            slurm.query("sacctmgr", "-i", "add", "qos", "high", "Preempt=low");
            slurm.query("sacctmgr", "-i", "modify", "user", "root", "set", "QOS=normal,low,high");
            String low = slurm.job(2, 300, "--qos=low");
            Await.until("the job runs", () -> !slurm.query("squeue", "-h", "-t", "R", "-j", low)
                    .isBlank());
            assertThat(startsIn(slurm, "high")).isBetween(0L, 11_000L);
            assertThat(startsIn(slurm, "normal")).isGreaterThan(200_000);
            long before = System.nanoTime();
            String high = slurm.job(2, 1, "--qos=high");
            Await.until("the job preempts the other", () -> !slurm.query("squeue", "-h", "-t", "R,CG,CD", "-j", high)
                    .isBlank());
            assertThat((System.nanoTime() - before) / 1_000_000_000L).isLessThan(100);
        }
    }

    /** The estimated wait of a job on two nodes in a QOS, in milliseconds. */
    private static long startsIn(RealSlurm slurm, String quality) throws Exception {
        long now = now(slurm);
        Submissions submissions = Submissions.of(List.of("--qos=" + quality), Map.of(), 0);
        SlurmSnapshot snapshot = new SnapshotReader(commands(slurm), "root", submissions, null).read(now);
        QueueModel model = new QueueModel(snapshot, Texts.target(""));
        return Texts.starts(model, now, new int[] {2}, new long[] {60_000})[0] - now;
    }

    /**
     * The user games sees only its own jobs and may run one at a time on three nodes. The user nobody cannot have an
     * account in Slurm 26.05.
     */
    @Test
    void startsAreEstimatedWhereJobsAreHidden() throws Exception {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(4)
                .withDatabase()
                .conf("PrivateData=jobs", "PriorityType=priority/multifactor", "PriorityWeightAge=1000");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            slurm.query("sacctmgr", "-i", "add", "account", "all");
            slurm.query("sacctmgr", "-i", "add", "user", "games", "account=all", "MaxSubmit=5");
            slurm.query(
                    "sacctmgr", "-i", "modify", "qos", "normal", "set", "MaxTRESPerUser=node=3", "MaxJobsPerUser=1");
            slurm.query("sacctmgr", "-i", "add", "user", "root", "account=all");
            // The controller learns of a new user and its account one after the other.
            String[] test = "runuser -u games -- sbatch --test-only -N1 -t5 --wrap true".split(" ");
            Await.until(
                    "the controller accepts jobs of the user",
                    () -> slurm.run(test).status() == 0);
            submit(slurm, 2, 30);
            slurm.query(
                    "runuser", "-u", "games", "--", "sbatch", "-N1", "-t5", "-o", "/dev/null", "--wrap", "sleep 250");
            Await.until("one node is idle", () -> slurm.query("sinfo", "-h", "-t", "idle", "-o", "%D")
                    .equals("1"));
            RecordedSlurm asGames = new RecordedSlurm(folder);
            for (String command : List.of("squeue", "sinfo", "scontrol", "sacctmgr", "sshare")) {
                asGames.does(command, "exec runuser -u games -- /usr/bin/" + command + " \"$@\"");
            }
            Map<String, String> environment = new HashMap<>(slurm.environment());
            environment.put("PATH", slurm.path());
            long now = now(slurm);
            SlurmSnapshot snapshot = new SnapshotReader(
                            SlurmCommands.runner(folder, Reach.here(environment), 60_000),
                            "games",
                            Submissions.of(List.of(), Map.of(), 0),
                            null)
                    .read(now);
            assertThat(snapshot.hidesJobs()).isTrue();
            assertThat(snapshot.jobs()).hasSize(1);
            assertThat(snapshot.limits()).isEqualTo(Texts.limits(1, 5, 3, Long.MAX_VALUE, Limit.UNLIMITED));
            QueueModel model = new QueueModel(snapshot, Texts.target(""));
            assertThat(model.nodes().hidden()).isEqualTo(2);
            long[] out = Texts.starts(model, now, new int[] {1, 4}, new long[] {60_000, 60_000});
            // One node is free, but the running job must end first.
            assertThat(out[0]).isBetween(now + 200_000, now + 300_000);
            assertThat(out[1]).isEqualTo(Long.MAX_VALUE);
        }
    }
}
