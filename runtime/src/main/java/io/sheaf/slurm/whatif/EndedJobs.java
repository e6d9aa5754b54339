package io.sheaf.slurm.whatif;

import io.sheaf.predict.DrawnRuns;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.learnt.SharedEnds;
import io.sheaf.sim.JobLog;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requested and used walltimes of a Slurm cluster's finished jobs. The source is {@code sacct} (the last week, once
 * per hour) if it is available. Otherwise it is jobs that ran in one snapshot and were absent from the next, from all
 * runs of the user.
 */
final class EndedJobs {
    /** The minimum number of jobs for a statement. */
    static final int ENOUGH = 20;

    private static final long HOUR = 3_600_000;
    private static final long MINUTE = 60_000;
    private static final int FIELDS = 6;

    /** The submission time of a job known only from its end. It is too old for arrivals to be sampled from it. */
    private static final long LONG_AGO = 0;

    private final CommandRunner commands;
    private final SharedEnds seen;
    private Map<Long, SlurmJob> running = new HashMap<>();
    private RequestCorrection correction = new RequestCorrection();
    private List<Ended> past = List.of();
    private boolean accounted;
    private long askedAt = Long.MIN_VALUE;

    /** A finished job, in milliseconds; {@code submitted} is {@link #LONG_AGO} if unknown. */
    private record Ended(int user, int nodes, long limit, long used, long submitted) {}

    /**
     * Creates an empty collection.
     *
     * @param folder the folder of observed ends, shared by all processes of the user
     */
    EndedJobs(CommandRunner commands, Path folder) {
        this.commands = commands;
        seen = new SharedEnds(folder.resolve("ends"), System::currentTimeMillis);
    }

    /** Learns from a snapshot and its predecessor. */
    void learn(SlurmSnapshot snapshot) throws InterruptedException {
        // Accounting that has begun with the cluster soon has enough jobs.
        long age = count() < ENOUGH ? 5 * MINUTE : HOUR;
        if (askedAt == Long.MIN_VALUE || snapshot.at() - askedAt >= age) {
            askedAt = snapshot.at();
            String rows = accounts(snapshot);
            List<Ended> listed = read(rows);
            synchronized (this) {
                accounted = !listed.isEmpty();
                learn(listed);
            }
        }
        compare(snapshot);
        synchronized (this) {
            List<Ended> found = new ArrayList<>();
            if (!accounted
                    && seen.tell((user, nodes, limit, used) -> found.add(new Ended(user, nodes, limit, used, LONG_AGO)))
                            > 0) {
                learn(found);
            }
        }
    }

    private void learn(List<Ended> jobs) {
        past = List.copyOf(jobs);
        correction = new RequestCorrection();
        jobs.forEach(job -> correction.learn(job.user, job.nodes, job.limit, job.used));
    }

    synchronized int count() {
        return past.size();
    }

    /** The known jobs in order of submission; jobs with an unknown submission time come first. */
    synchronized JobLog past() {
        JobLog.Builder log = JobLog.builder();
        past.stream()
                .sorted(Comparator.comparingLong(Ended::submitted))
                .forEach(job -> log.add(
                        0, job.submitted, job.used, job.limit, job.nodes, Math.floorMod(job.user, Integer.MAX_VALUE)));
        return log.build();
    }

    /** Whether enough is known for an interval; if jobs are hidden, little is, and the interval shows it. */
    boolean isEnoughFor(SlurmSnapshot snapshot) {
        return count() >= ENOUGH || snapshot.hidesJobs();
    }

    /** A short description of the source. */
    synchronized String basis() {
        return past.size() + " jobs " + (accounted ? "in sacct" : "observed until their end");
    }

    private String accounts(SlurmSnapshot snapshot) throws InterruptedException {
        if (!snapshot.config().getOrDefault("AccountingStorageType", "").endsWith("slurmdbd")) {
            return "";
        }
        try {
            CommandRunner.Answer answer = commands.ask(
                    "sacct",
                    "-n",
                    "-P",
                    "-X",
                    "-a",
                    "-S",
                    "now-7days",
                    "-o",
                    "User,AllocNodes,TimelimitRaw,ElapsedRaw,State,Submit");
            return answer.isGood() ? answer.out() : "";
        } catch (UnreachableException e) {
            // Falls back to observed ends.
            return "";
        }
    }

    /** Parses lines of {@code sacct}; skips jobs that are unfinished or never ran. */
    private static List<Ended> read(String rows) {
        List<Ended> jobs = new ArrayList<>();
        for (String line : rows.split("\n")) {
            String[] f = line.split("\\|", -1);
            boolean good = f.length == FIELDS
                    && f[1].matches("[1-9][0-9]{0,8}")
                    && f[2].matches("[1-9][0-9]{0,8}")
                    && f[3].matches("[1-9][0-9]{0,11}")
                    && !f[4].matches("RUNNING|PENDING|SUSPENDED|REQUEUED|RESIZING");
            if (good) {
                jobs.add(new Ended(
                        SharedEnds.number(f[0]),
                        Integer.parseInt(f[1]),
                        Long.parseLong(f[2]) * MINUTE,
                        Long.parseLong(f[3]) * 1000,
                        f[5].matches("[1-9][0-9]{0,11}") ? Long.parseLong(f[5]) * 1000 : LONG_AGO));
            }
        }
        return jobs;
    }

    /** Finds jobs that have ended since the previous snapshot. */
    private void compare(SlurmSnapshot snapshot) {
        Map<Long, SlurmJob> now = new HashMap<>();
        Set<Long> there = new HashSet<>();
        for (SlurmJob job : snapshot.jobs()) {
            boolean runs = job.state() == SlurmJob.State.RUNNING;
            if (runs && job.start() > 0 && job.limit() > 0 && job.limit() != Limit.UNLIMITED) {
                now.put(job.id(), job);
            }
            if (runs) {
                there.add(job.id());
            }
        }
        for (SlurmJob job : running.values()) {
            if (!there.contains(job.id()) && !accounted) {
                seen.add(job.user(), job.nodes(), job.limit(), Math.max(1, snapshot.at() - job.start()));
            }
        }
        running = now;
    }

    /**
     * A sampled variant of the snapshot, in which jobs use as much of their walltime as finished jobs did, with {@linkplain HiddenJobs hidden} ones. Pilot jobs of the user
     * last as they are known to.
     */
    synchronized SlurmSnapshot drawn(SlurmSnapshot snapshot, RandomStream random) {
        DrawnRuns runs = new DrawnRuns(random);
        List<SlurmJob> jobs = new ArrayList<>();
        for (SlurmJob job : snapshot.jobs()) {
            boolean isRunning = job.state() == SlurmJob.State.RUNNING;
            boolean known = job.limit() > 0 && job.limit() != Limit.UNLIMITED && (!isRunning || job.start() > 0);
            boolean ours = job.user().equals(snapshot.user()) && BatchCommands.isPilotJob(job.name());
            if (!known || ours || (!isRunning && job.state() != SlurmJob.State.WAITING)) {
                jobs.add(job);
                continue;
            }
            int user = SharedEnds.number(job.user());
            long elapsed = isRunning ? Math.max(0, snapshot.at() - job.start()) : 0;
            double[] parts = correction.parts(user, job.nodes(), job.limit(), elapsed);
            long run = runs.run(user, parts, job.limit(), Math.min(elapsed, job.limit() - 1));
            jobs.add(job.lasting(run, isRunning ? Math.max(snapshot.at() + 1, job.start() + run) : job.end()));
        }
        jobs.addAll(HiddenJobs.drawn(snapshot, random));
        return snapshot.with(jobs);
    }
}
