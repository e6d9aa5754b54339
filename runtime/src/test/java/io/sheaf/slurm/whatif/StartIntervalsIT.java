package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.slurm.SlurmCommands;
import io.sheaf.testing.RealCluster;
import io.sheaf.testing.RealSlurm;
import io.sheaf.testing.RecordedSlurm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Predicted intervals against the starts of jobs on real Slurms with fast clocks, whose jobs end before their limits. The figures are printed. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
@Timeout(1200)
class StartIntervalsIT {
    private static final int SPEED = 20;
    private static final long REAL_MILLIS = 360_000;

    /** The time that Slurm needs to start a job on free nodes, on a busy machine: two seconds of the real clock. */
    private static final long LATENCY = 2_000L * SPEED;

    @TempDir
    Path folder = Path.of("");

    /**
     * Background jobs of a partition.
     *
     * @param shortest the shortest limit, in minutes
     * @param longest the longest limit, in minutes
     * @param queued the greatest number of queued jobs
     * @param chance the probability that a missing one is submitted at a step
     * @param users each job is submitted by one of them; none: by root
     */
    private record Load(String partition, int shortest, int longest, int queued, double chance, List<String> users) {
        Load(String partition, int shortest, int longest, int queued) {
            this(partition, shortest, longest, queued, 1, List.of());
        }

        /** Submits jobs of one to three nodes that use a tenth of their limit or more. */
        void fill(RealSlurm slurm, RandomStream random) {
            // One of many commands may fail: ten seconds of this clock, after which they give up, are short.
            RealCluster.CommandResult waiting = slurm.run("squeue", "-h", "-t", "PD", "-p", partition, "-o", "%i");
            for (long i = waiting.text().lines().count(); waiting.status() == 0 && i < queued; i++) {
                int minutes = random.between(shortest, longest);
                long seconds = Math.round(minutes * 60 * random.uniform(0.1, 0.95));
                List<String> words = new ArrayList<>(List.of("sbatch", "--exclusive", "-D", "/", "-o", "/dev/null"));
                words.addAll(List.of("-p", partition, "-N", "" + random.between(1, 3), "-t", "" + minutes));
                if (!users.isEmpty()) {
                    words.add("--uid=" + users.get(random.nextInt(users.size())));
                }
                words.addAll(List.of("--wrap", "sleep " + seconds));
                if (chance == 1 || random.nextDouble() < chance) {
                    slurm.run(words.toArray(String[]::new));
                }
            }
        }
    }

    /** A cluster whose queue is observed, with predictions for each of its partitions. */
    private static final class Site {
        private final String name;
        private final RealSlurm slurm;
        private final List<Load> loads;
        private final SnapshotReader reader;
        private final RandomStream random = new RandomStream(5);
        private final List<ForecastCheck> checks = new ArrayList<>();

        /** @param cluster its name, by which commands reach it through another one's environment; empty for its own */
        Site(Path folder, RealSlurm slurm, RealSlurm entry, String cluster, Load... loads) {
            this.name = cluster.isEmpty() ? "" : cluster + ":";
            this.slurm = slurm;
            this.loads = List.of(loads);
            Map<String, String> environment = new HashMap<>(System.getenv());
            environment.putAll(entry.environment());
            if (!cluster.isEmpty()) {
                environment.put("SLURM_CLUSTERS", cluster);
            }
            CommandRunner commands = SlurmCommands.runner(null, Reach.here(environment), CommandRunner.LIMIT_MILLIS);
            reader = new SnapshotReader(commands, "root", Submissions.of(List.of(), Map.of(), 0), null);
            for (Load load : loads) {
                checks.add(new ForecastCheck(commands, folder.resolve(cluster + "-" + load.partition), load.partition));
            }
        }

        void step() throws Exception {
            loads.forEach(load -> load.fill(slurm, random));
            SlurmSnapshot snapshot = read(reader, slurm);
            for (ForecastCheck check : checks) {
                check.observe(snapshot);
            }
        }

        void report() throws Exception {
            SlurmSnapshot last = read(reader, slurm);
            String version = slurm.query("sinfo", "--version");
            for (int i = 0; i < loads.size(); i++) {
                StartIntervalsIT.report(
                        version + ", " + name + loads.get(i).partition,
                        checks.get(i).observe(last).started());
            }
        }
    }

    private static long now(RealSlurm slurm) {
        return 1000 * Long.parseLong(slurm.query("date", "+%s"));
    }

    /** The queue now; a few commands may fail, as in {@link Load#fill}. */
    private static SlurmSnapshot read(SnapshotReader reader, RealSlurm slurm)
            throws UnreachableException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return reader.read(now(slurm));
            } catch (UnreachableException e) {
                if (attempt == 10) {
                    throw e;
                }
                Thread.sleep(500);
            }
        }
    }

    private static void measure(Site... sites) throws Exception {
        long until = System.nanoTime() + REAL_MILLIS * 1_000_000;
        while (System.nanoTime() < until) {
            for (Site site : sites) {
                site.step();
            }
            Thread.sleep(500);
        }
        for (Site site : sites) {
            site.report();
        }
    }

    @Test
    void intervalsCoverStartsInTwoPartitions() throws Exception {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(12)
                .speed(SPEED)
                .conf(
                        "PartitionName=short Nodes=n[1-4] Default=YES MaxTime=20 State=UP",
                        "PartitionName=long Nodes=n[5-12] MaxTime=30 State=UP");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            measure(new Site(folder, slurm, slurm, "", new Load("short", 4, 20, 4), new Load("long", 8, 30, 4)));
        }
    }

    /** Wide jobs, and those of users who have used little of their share, overtake others. */
    @Test
    void intervalsCoverStartsUnderFairShare() throws Exception {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(12)
                .speed(SPEED)
                .withDatabase()
                .conf(
                        "PriorityType=priority/multifactor",
                        "PriorityWeightFairShare=10000",
                        "PriorityWeightJobSize=1000",
                        "PriorityWeightAge=1000",
                        "PriorityMaxAge=01:00:00",
                        "PriorityDecayHalfLife=02:00:00",
                        "PriorityCalcPeriod=1",
                        "PartitionName=main Nodes=ALL Default=YES MaxTime=30 State=UP");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            List<String> users = List.of("daemon", "mail", "games");
            slurm.query("sacctmgr", "-i", "add", "account", "all");
            for (int i = 0; i < users.size(); i++) {
                slurm.query("sacctmgr", "-i", "add", "user", users.get(i), "account=all", "fairshare=" + (1 + 4 * i));
            }
            measure(new Site(folder, slurm, slurm, "", new Load("main", 4, 30, 6, 1, users)));
        }
    }

    /** Jobs of one partition take nodes of the other one's. */
    @Test
    void intervalsCoverStartsUnderPreemption() throws Exception {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(8)
                .speed(SPEED)
                .conf(
                        "PreemptType=preempt/partition_prio",
                        "PreemptMode=CANCEL",
                        "PartitionName=low Nodes=ALL Default=YES MaxTime=30 State=UP PriorityTier=1 PreemptMode=CANCEL GraceTime=60",
                        "PartitionName=high Nodes=n[1-4] MaxTime=20 State=UP PriorityTier=10 PreemptMode=OFF");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            Load high = new Load("high", 4, 12, 2, 0.1, List.of());
            measure(new Site(folder, slurm, slurm, "", high, new Load("low", 4, 30, 4)));
        }
    }

    /** Two controllers with one database; the commands of the first reach both. */
    @Test
    void intervalsCoverStartsInTwoClusters() throws Exception {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(10).speed(SPEED);
        String[] conf = {"PartitionName=main Nodes=ALL Default=YES MaxTime=30 State=UP"};
        try (RealSlurm alpha = RealSlurm.start(shape.withDatabase().conf(conf), "alpha");
                RealSlurm beta = alpha.beside(shape.conf(conf), "beta")) {
            measure(
                    new Site(folder, alpha, alpha, "alpha", new Load("main", 4, 20, 4)),
                    new Site(folder, beta, alpha, "beta", new Load("main", 8, 24, 4)));
        }
    }

    private static boolean isWithin(long waited, Quantiles interval) {
        return waited >= interval.low90() - LATENCY && waited <= interval.high90() + LATENCY;
    }

    private static void report(String where, List<WhatIf.EvaluatedJob> started) {
        List<Long> errors = new ArrayList<>();
        List<Long> middle = new ArrayList<>();
        int within = 0;
        int known = 0;
        for (WhatIf.EvaluatedJob each : started) {
            errors.add(Math.abs(each.waited() - each.engine()) / 1000);
            Quantiles interval = each.interval();
            if (interval != null) {
                known++;
                within += isWithin(each.waited(), interval) ? 1 : 0;
                middle.add(Math.abs(each.waited() - interval.median()) / 1000);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d starts, median error of the engine %d s, of the sampled median %d s; %d of %d within the 90 %% interval%n",
                where,
                errors.size(),
                median(errors),
                median(middle),
                within,
                known);
        assertThat(known).as("jobs with intervals, %s", where).isGreaterThan(10);
        assertThat((double) within / known).as("coverage, %s", where).isGreaterThan(0.7);
    }

    private static long median(List<Long> values) {
        return values.isEmpty() ? -1 : values.stream().sorted().toList().get(values.size() / 2);
    }

    /** A user who sees only own jobs: they start within the intervals that are estimated for hidden jobs. */
    @Test
    void intervalsCoverStartsWhereJobsAreHidden() throws Exception {
        RealSlurm.SlurmShape shape = RealSlurm.SlurmShape.of(4)
                .speed(SPEED)
                .conf("PrivateData=jobs", "PartitionName=main Nodes=ALL Default=YES MaxTime=30 State=UP");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            RecordedSlurm asOtherUser = new RecordedSlurm(folder);
            for (String command : List.of("squeue", "sinfo", "scontrol", "sacctmgr", "sshare")) {
                // The fast clock of a command of another user fails at times, before the command prints anything.
                String words = "runuser -u nobody -- /usr/bin/" + command + " \"$@\"";
                asOtherUser.does(command, words + " || " + words + " || exec " + words);
            }
            Map<String, String> environment = new HashMap<>(slurm.environment());
            environment.put("PATH", slurm.path());
            CommandRunner commands = SlurmCommands.runner(folder, Reach.here(environment), CommandRunner.LIMIT_MILLIS);
            Submissions submissions = Submissions.of(List.of(), Map.of(), 0);
            SnapshotReader reader = new SnapshotReader(commands, "nobody", submissions, null);
            EndedJobs ended = new EndedJobs(commands, Files.createDirectories(folder.resolve("learnt")));
            Load background = new Load("main", 4, 30, 3);
            RandomStream random = new RandomStream(7);
            int within = 0;
            List<Long> errors = new ArrayList<>();
            List<String> waits = new ArrayList<>();
            long until = System.nanoTime() + REAL_MILLIS * 1_000_000;
            while (System.nanoTime() < until) {
                background.fill(slurm, random);
                SlurmSnapshot snapshot = read(reader, slurm);
                long now = snapshot.at();
                assertThat(snapshot.hidesJobs()).isTrue();
                assertThat(snapshot.jobs()).as("visible jobs").allMatch(job -> job.user()
                        .equals("nobody"));
                boolean brief = waits.size() % 2 == 0;
                int nodes = brief ? 1 : random.between(1, 2);
                int minutes = brief ? 2 : random.between(2, 20);
                Quantiles waited = Objects.requireNonNull(SampledStarts.drawn(
                        snapshot,
                        draw -> Texts.target(""),
                        ended,
                        StartQuery.of(now, 0, nodes, minutes * 60_000L),
                        101));
                long actual = probe(slurm, nodes, minutes, background, random);
                within += isWithin(actual, waited) ? 1 : 0;
                errors.add(Math.abs(actual - waited.median()) / 1000);
                waits.add(nodes + "×" + minutes + " min: " + actual / 1000 + " in " + waited.low90() / 1000 + "–"
                        + waited.high90() / 1000);
            }
            System.out.printf(
                    Locale.ROOT,
                    "%s, hidden jobs: median error of the sampled median %d s; %d of %d within the 90 %% interval: %s%n",
                    slurm.query("sinfo", "--version"),
                    median(errors),
                    within,
                    waits.size(),
                    waits);
            assertThat((double) within / waits.size()).isGreaterThan(0.7);
        }
    }

    /** The wait of a job of the other user; the load continues until then. */
    private static long probe(RealSlurm slurm, int nodes, int minutes, Load background, RandomStream random)
            throws InterruptedException {
        String[] words = ("runuser -u nobody -- sbatch --parsable --exclusive -D / -N" + nodes + " -t" + minutes
                        + " -o /dev/null --wrap hostname")
                .split(" ");
        RealCluster.CommandResult submitted = slurm.run(words);
        for (int attempt = 2; submitted.status() != 0 && attempt <= 10; attempt++) {
            submitted = slurm.run(words);
        }
        assertThat(submitted.status()).as(submitted.text()).isZero();
        String job = submitted.text().strip();
        while (true) {
            RealCluster.CommandResult shown =
                    slurm.run("env", "SLURM_TIME_FORMAT=%s", "scontrol", "-o", "show", "job", job);
            List<Map<String, String>> records = shown.status() == 0 ? Scontrol.records(shown.text()) : List.of();
            for (Map<String, String> each : records) {
                if (!each.getOrDefault("JobState", "").equals("PENDING")) {
                    return Limit.instant(each.getOrDefault("StartTime", ""))
                            - Limit.instant(each.getOrDefault("SubmitTime", ""));
                }
            }
            background.fill(slurm, random);
            Thread.sleep(300);
        }
    }
}
