package io.sheaf.slurm.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.sheaf.predict.Quantiles;
import io.sheaf.predict.StartQuery;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.batch.CommandRunner;
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
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Predicted intervals against the starts of jobs on a real Slurm with a fast clock, whose jobs end before their limits. The figures are printed. */
@Tag("slow")
@Timeout(900)
class StartIntervalsIT {
    private static final int SPEED = 20;
    private static final long REAL_MILLIS = 360_000;

    @TempDir
    Path folder = Path.of("");

    /** A partition with the limits of its jobs, in minutes. */
    private record Load(String partition, int shortest, int longest, int queued) {
        /** Keeps some jobs queued, of one to three nodes, that use a tenth of their limit or more. */
        void fill(RealSlurm slurm, RandomStream random) {
            // One of many commands may fail: ten seconds of this clock, after which they give up, are short.
            RealCluster.Said waiting = slurm.run("squeue", "-h", "-t", "PD", "-p", partition, "-o", "%i");
            for (long i = waiting.text().lines().count(); waiting.status() == 0 && i < queued; i++) {
                int minutes = random.between(shortest, longest);
                long seconds = Math.round(minutes * 60 * random.uniform(0.1, 0.95));
                List<String> words = new ArrayList<>(List.of("sbatch", "--exclusive", "-o", "/dev/null"));
                words.addAll(List.of("-p", partition, "-N", "" + random.between(1, 3), "-t", "" + minutes));
                words.addAll(List.of("--wrap", "sleep " + seconds));
                slurm.run(words.toArray(String[]::new));
            }
        }
    }

    private static long now(RealSlurm slurm) {
        return 1000 * Long.parseLong(slurm.ask("date", "+%s"));
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

    private static CommandRunner commands(RealSlurm slurm) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.putAll(slurm.environment());
        return SlurmCommands.runner(null, environment, CommandRunner.LIMIT_MILLIS);
    }

    @Test
    void twoPartitionsWithDifferentLimits() throws Exception {
        List<Load> loads = List.of(new Load("short", 4, 20, 4), new Load("long", 8, 30, 4));
        RealSlurm.Shape shape = RealSlurm.Shape.of(12)
                .speed(SPEED)
                .conf(
                        "PartitionName=short Nodes=n[1-4] Default=YES MaxTime=20 State=UP",
                        "PartitionName=long Nodes=n[5-12] MaxTime=30 State=UP");
        measure(shape, loads);
    }

    /** Wide jobs overtake narrow ones that have waited less. */
    @Test
    void multifactorPriority() throws Exception {
        RealSlurm.Shape shape = RealSlurm.Shape.of(6)
                .speed(SPEED)
                .conf(
                        "PriorityType=priority/multifactor",
                        "PriorityWeightJobSize=10000",
                        "PriorityWeightAge=10000",
                        "PriorityMaxAge=01:00:00",
                        "PriorityCalcPeriod=1",
                        "PartitionName=main Nodes=ALL Default=YES MaxTime=30 State=UP");
        measure(shape, List.of(new Load("main", 4, 30, 5)));
    }

    private void measure(RealSlurm.Shape shape, List<Load> loads) throws Exception {
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            CommandRunner commands = commands(slurm);
            RandomStream random = new RandomStream(5);
            List<ForecastCheck> checks = new ArrayList<>();
            for (Load load : loads) {
                checks.add(new ForecastCheck(commands, folder.resolve(load.partition), load.partition));
            }
            SnapshotReader reader = new SnapshotReader(commands, "root", Submissions.of(List.of(), Map.of(), 0));
            long until = System.nanoTime() + REAL_MILLIS * 1_000_000;
            while (System.nanoTime() < until) {
                for (Load load : loads) {
                    load.fill(slurm, random);
                }
                SlurmSnapshot snapshot = read(reader, slurm);
                for (ForecastCheck check : checks) {
                    check.observe(snapshot);
                }
                Thread.sleep(500);
            }
            SlurmSnapshot last = read(reader, slurm);
            for (int i = 0; i < loads.size(); i++) {
                report(loads.get(i), checks.get(i).observe(last).started());
            }
        }
    }

    private static void report(Load load, List<WhatIf.Checked> started) {
        List<Long> errors = new ArrayList<>();
        List<Long> middle = new ArrayList<>();
        int within = 0;
        int known = 0;
        for (WhatIf.Checked each : started) {
            errors.add(Math.abs(each.waited() - each.engine()) / 1000);
            Quantiles interval = each.interval();
            if (interval != null) {
                known++;
                within += each.waited() >= interval.low90() - 1000 && each.waited() <= interval.high90() + 1000 ? 1 : 0;
                middle.add(Math.abs(each.waited() - interval.median()) / 1000);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "partition %s: %d starts, median error of the engine %d s, of the sampled median %d s; %d of %d within the 90 %% interval%n",
                load.partition,
                errors.size(),
                median(errors),
                median(middle),
                within,
                known);
        assertThat(known).as("jobs with intervals in %s", load.partition).isGreaterThan(10);
        assertThat((double) within / known).as("coverage in %s", load.partition).isGreaterThan(0.7);
    }

    private static long median(List<Long> values) {
        return values.isEmpty() ? -1 : values.stream().sorted().toList().get(values.size() / 2);
    }

    /** Another user sees no jobs but its own: its jobs start within the interval for what is hidden. */
    @Test
    void whereOthersJobsAreHidden() throws Exception {
        RealSlurm.Shape shape = RealSlurm.Shape.of(4)
                .speed(SPEED)
                .conf("PrivateData=jobs", "PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP");
        try (RealSlurm slurm = RealSlurm.start(shape)) {
            Assumptions.assumeFalse(slurm.isOfOtherRoot(), "another user cannot enter the root of that Slurm");
            RecordedSlurm asNobody = new RecordedSlurm(folder);
            for (String command : List.of("squeue", "sinfo", "scontrol", "sacctmgr", "sshare")) {
                // The fast clock of a command of another user fails at times, before the command prints anything.
                String words = "runuser -u nobody -- /usr/bin/" + command + " \"$@\"";
                asNobody.does(command, words + " || " + words + " || exec " + words);
            }
            Map<String, String> environment = new HashMap<>(slurm.environment());
            environment.put("PATH", slurm.path());
            CommandRunner commands = SlurmCommands.runner(folder, environment, CommandRunner.LIMIT_MILLIS);
            Submissions alike = Submissions.of(List.of(), Map.of(), 0);
            SnapshotReader reader = new SnapshotReader(commands, "nobody", alike);
            EndedJobs ended = new EndedJobs(commands, Files.createDirectories(folder.resolve("learnt")));
            Load others = new Load("main", 10, 60, 3);
            RandomStream random = new RandomStream(7);
            int within = 0;
            List<String> waits = new ArrayList<>();
            long until = System.nanoTime() + REAL_MILLIS * 1_000_000;
            while (System.nanoTime() < until) {
                others.fill(slurm, random);
                SlurmSnapshot snapshot = read(reader, slurm);
                long now = snapshot.at();
                assertThat(snapshot.hidesJobs()).isTrue();
                assertThat(snapshot.jobs()).as("visible jobs").allMatch(job -> job.user()
                        .equals("nobody"));
                Quantiles waited = Objects.requireNonNull(SampledStarts.drawn(
                        snapshot, draw -> QueueModel.Place.in(""), ended, StartQuery.of(now, 0, 1, 120_000), 101));
                long actual = probe(slurm, others, random) - now;
                within += actual >= waited.low90() - 1000 && actual <= waited.high90() + 1000 ? 1 : 0;
                waits.add(actual / 1000 + " in " + waited.low90() / 1000 + "–" + waited.high90() / 1000);
            }
            System.out.printf(
                    Locale.ROOT,
                    "hidden jobs: %d of %d starts within the 90 %% interval: %s%n",
                    within,
                    waits.size(),
                    waits);
            assertThat((double) within / waits.size()).isGreaterThan(0.7);
        }
    }

    /** The start of a job of the other user; the load goes on until then. */
    private static long probe(RealSlurm slurm, Load others, RandomStream random) throws InterruptedException {
        String[] words =
                "runuser -u nobody -- sbatch --parsable --exclusive -N1 -t2 -o /dev/null --wrap hostname".split(" ");
        RealCluster.Said submitted = slurm.run(words);
        for (int attempt = 2; submitted.status() != 0 && attempt <= 10; attempt++) {
            submitted = slurm.run(words);
        }
        assertThat(submitted.status()).as(submitted.text()).isZero();
        String job = submitted.text().strip();
        while (true) {
            RealCluster.Said shown = slurm.run("env", "SLURM_TIME_FORMAT=%s", "scontrol", "-o", "show", "job", job);
            List<Map<String, String>> records = shown.status() == 0 ? Scontrol.records(shown.text()) : List.of();
            for (Map<String, String> each : records) {
                if (!each.getOrDefault("JobState", "").equals("PENDING")) {
                    return Limit.instant(each.getOrDefault("StartTime", ""));
                }
            }
            others.fill(slurm, random);
            Thread.sleep(300);
        }
    }
}
