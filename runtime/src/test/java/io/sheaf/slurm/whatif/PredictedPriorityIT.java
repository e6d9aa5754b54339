package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.Await;
import io.sheaf.testing.RealSlurm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real Slurm with slurmdbd, multifactor priority and fair share: priorities are as predicted, and jobs start when their priority lets them. */
@Tag("slow")
@Timeout(1200)
class PredictedPriorityIT {
    private static final int SPEED = 20;
    private static final int NODES = 8;

    private static final String[] CONF = {
        "PriorityType=priority/multifactor",
        "PriorityWeightAge=1000",
        "PriorityMaxAge=1-0",
        "PriorityWeightFairShare=10000",
        "PriorityWeightJobSize=500",
        "PriorityFavorSmall=YES",
        "PriorityWeightPartition=200",
        "PriorityWeightQOS=300",
        "PriorityDecayHalfLife=1-0",
        "PriorityCalcPeriod=1",
        "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP PriorityJobFactor=5",
        "PartitionName=fast Nodes=ALL MaxTime=60 State=UP PriorityJobFactor=10"
    };

    private static long now(RealSlurm slurm) {
        return 1000 * Long.parseLong(slurm.query("date", "+%s"));
    }

    private static SnapshotReader reader(RealSlurm slurm, Submissions submissions) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(slurm.environment());
        return new SnapshotReader(
                SlurmCommands.runner(null, Reach.here(environment), CommandRunner.LIMIT_MILLIS),
                "root",
                submissions,
                null);
    }

    private static String submit(RealSlurm slurm, String user, int nodes, int minutes, String... options) {
        List<String> words = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--uid=" + user,
                "-D",
                "/",
                "-N",
                "" + nodes,
                "--ntasks-per-node=1",
                "-t",
                "" + minutes,
                "-o",
                "/dev/null"));
        words.addAll(List.of(options));
        words.addAll(List.of("--wrap", "sleep " + (minutes * 60 - 5)));
        return slurm.query(words.toArray(String[]::new));
    }

    private static void awaitStarted(RealSlurm slurm, String job) throws InterruptedException {
        Await.until("job " + job + " runs", () -> slurm.query("squeue", "-h", "-j", job, "-o", "%T")
                .equals("RUNNING"));
    }

    private static RealSlurm start() {
        RealSlurm slurm = RealSlurm.start(
                RealSlurm.SlurmShape.of(NODES).withDatabase().speed(SPEED).conf(CONF));
        for (String[] words : new String[][] {
            {"account", "physics", "fairshare=30"},
            {"account", "optics", "parent=physics", "fairshare=5"},
            {"account", "biology", "fairshare=10"},
            {"user", "root", "account=optics", "defaultaccount=optics", "fairshare=2"},
            {"user", "games", "account=optics", "fairshare=parent"},
            {"user", "daemon", "account=physics"},
            {"user", "mail", "account=biology"}
        }) {
            List<String> all = new ArrayList<>(List.of("sacctmgr", "-i", "add"));
            all.addAll(List.of(words));
            slurm.query(all.toArray(String[]::new));
        }
        slurm.query("sacctmgr", "-i", "modify", "user", "root", "set", "defaultaccount=optics");
        slurm.query("sacctmgr", "-i", "add", "qos", "high", "priority=50");
        slurm.query("sacctmgr", "-i", "modify", "user", "root", "set", "qos+=high");
        return slurm;
    }

    /** Waits until {@code sshare} prints matching factors. */
    private static void awaitFactors(RealSlurm slurm, Predicate<String> shares) throws InterruptedException {
        Await.until(
                "the factors are computed",
                () -> shares.test(slurm.query("sshare", "-a", "-n", "-P", "-o", SlurmShares.FORMAT)));
    }

    @Test
    void prioritiesAndStartsAreAsPredicted() throws Exception {
        try (RealSlurm slurm = start()) {
            String first = submit(slurm, "mail", NODES, 12);
            awaitStarted(slurm, first);
            awaitFactors(slurm, text -> text.matches("(?s).*biology\\|mail\\|1\\|[1-9][0-9]*\\|.*"));
            // Jobs of mail, who has used the cluster, are behind ours, whose account has used nothing.
            submit(slurm, "mail", NODES, 20);
            submit(slurm, "mail", NODES, 20);
            Map<String, long[]> predicted = new LinkedHashMap<>();
            List<Long> errors = new ArrayList<>();
            // In the order of their priorities, so that none overtakes another.
            Object[][] jobs = {
                {2, 5, new String[] {"--partition=fast", "--qos=high", "--nice=40"}},
                {4, 4, new String[] {"--partition=main", "--qos=high"}},
                {NODES, 3, new String[] {"--partition=main", "--qos=high"}},
                {4, 4, new String[] {"--partition=fast"}},
                {6, 2, new String[] {"--partition=main"}},
                {NODES, 2, new String[] {"--partition=main"}}
            };
            for (Object[] job : jobs) {
                int nodes = (Integer) job[0];
                int minutes = (Integer) job[1];
                String[] options = (String[]) job[2];
                Submissions submissions = Submissions.of(List.of(options), Map.of(), 1);
                long now = now(slurm);
                SlurmSnapshot snapshot = reader(slurm, submissions).read(now);
                assertThat(snapshot.problems()).isEmpty();
                long priority = snapshot.priority().of(snapshot, submissions, nodes);
                PriorityErrors none = new PriorityErrors(List.of());
                QueueModel known = new QueueModel(
                        snapshot, SnapshotEstimator.where(snapshot, submissions, nodes, none, SnapshotEstimator.POINT));
                QueueModel last = new QueueModel(snapshot, Texts.target(submissions.partition()));
                long[] starts = {
                    Texts.starts(known, now, new int[] {nodes}, new long[] {minutes * 60_000L})[0],
                    Texts.starts(last, now, new int[] {nodes}, new long[] {minutes * 60_000L})[0]
                };
                String id = submit(slurm, "root", nodes, minutes, options);
                String observed =
                        slurm.query("sprio", "-h", "-j", id, "-o", "%Y").strip();
                assertThat(Long.parseLong(observed))
                        .as("priority of job %s", id)
                        .isCloseTo(priority, within(1L));
                predicted.put(id, starts);
            }
            Map<String, Long> actual = new HashMap<>();
            Await.until("all jobs have started", () -> {
                for (Map<String, String> job :
                        Scontrol.records(slurm.query("env", "SLURM_TIME_FORMAT=%s", "scontrol", "-o", "show", "job"))) {
                    if (!job.getOrDefault("JobState", "PENDING").equals("PENDING")) {
                        actual.put(job.getOrDefault("JobId", ""), Limit.instant(job.getOrDefault("StartTime", "")));
                    }
                }
                return actual.keySet().containsAll(predicted.keySet());
            });
            List<Long> errorsBehindAll = new ArrayList<>();
            predicted.forEach((id, starts) -> {
                errors.add(Math.abs(actual.getOrDefault(id, 0L) - starts[0]) / 1000);
                errorsBehindAll.add(Math.abs(actual.getOrDefault(id, 0L) - starts[1]) / 1000);
            });
            System.out.println("seconds from the predicted start: " + errors + "; behind all jobs: " + errorsBehindAll);
            errors.sort(null);
            errorsBehindAll.sort(null);
            assertThat(errors.get(errors.size() / 2))
                    .as("median error, in seconds")
                    .isLessThanOrEqualTo(60);
            assertThat(errorsBehindAll.get(errorsBehindAll.size() / 2))
                    .as("behind all jobs")
                    .isGreaterThan(600);
        }
    }
}
