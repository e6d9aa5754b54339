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
    /** The fields of {@code sacct -o}. */
    private static final String FIELDS =
            "User,AllocNodes,TimelimitRaw,ElapsedRaw,State,Submit,Account,Partition,NNodes,NCPUS";

    private static final String COUNT = "[1-9][0-9]{0,8}";
    private static final String INSTANT = "[1-9][0-9]{0,11}";

    /** The submission time of a job known only from its end. It is too old for arrivals to be sampled from it. */
    private static final long LONG_AGO = 0;

    private final CommandRunner commands;
    private final SharedEnds ends;
    private Map<Long, SlurmJob> running = new HashMap<>();
    private RequestCorrection correction = new RequestCorrection();
    private List<Ended> past = List.of();
    private LaterArrivals arrivals = LaterArrivals.NONE;
    private boolean accounted;
    private long queriedAt = Long.MIN_VALUE;

    /** A finished job, in milliseconds; {@code submitted} is {@link #LONG_AGO} if unknown. */
    private record Ended(int user, int nodes, long limit, long used, long submitted) {}

    /**
     * Creates an empty collection.
     *
     * @param folder the folder of observed ends, shared by all processes of the user
     */
    EndedJobs(CommandRunner commands, Path folder) {
        this.commands = commands;
        ends = new SharedEnds(folder.resolve("ends"), System::currentTimeMillis);
    }

    /** Learns from a snapshot and its predecessor. */
    void learn(SlurmSnapshot snapshot) throws InterruptedException {
        if (queriedAt == Long.MIN_VALUE || snapshot.at() - queriedAt >= maxAge()) {
            queriedAt = snapshot.at();
            List<String[]> rows = rows(accounts(snapshot));
            List<Ended> listed = ended(rows);
            synchronized (this) {
                accounted = !listed.isEmpty();
                learn(listed);
                arrivals = new LaterArrivals(submitted(rows), snapshot.at());
            }
        }
        compare(snapshot);
        synchronized (this) {
            List<SharedEnds.FinishedJob> found = accounted ? List.of() : ends.newJobs();
            if (!found.isEmpty()) {
                learn(found.stream()
                        .map(job -> new Ended(job.user(), job.nodes(), job.requested(), job.used(), LONG_AGO))
                        .toList());
            }
        }
    }

    /** The age at which the accounting is read again: accounting that has begun with the cluster soon has more jobs. */
    private synchronized long maxAge() {
        return count() < ENOUGH ? 5 * MINUTE : Math.max(5 * MINUTE, Math.min(HOUR, arrivals.span() / 4));
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
            CommandRunner.Answer answer =
                    commands.query("sacct", "-n", "-P", "-X", "-a", "-S", "now-7days", "-o", FIELDS);
            return answer.isGood() ? answer.out() : "";
        } catch (UnreachableException e) {
            // Falls back to observed ends.
            return "";
        }
    }

    /** The complete lines of {@code sacct} that have a time limit. */
    private static List<String[]> rows(String text) {
        return text.lines()
                .map(line -> line.split("\\|", -1))
                .filter(f -> f.length == FIELDS.split(",").length && f[2].matches(COUNT))
                .toList();
    }

    /** The finished jobs; skips jobs that never ran. */
    private static List<Ended> ended(List<String[]> rows) {
        List<Ended> jobs = new ArrayList<>();
        for (String[] f : rows) {
            boolean good = f[1].matches(COUNT)
                    && f[3].matches(INSTANT)
                    && !f[4].matches("RUNNING|PENDING|SUSPENDED|REQUEUED|RESIZING");
            if (good) {
                jobs.add(new Ended(
                        SharedEnds.number(f[0]),
                        Integer.parseInt(f[1]),
                        Long.parseLong(f[2]) * MINUTE,
                        Long.parseLong(f[3]) * 1000,
                        f[5].matches(INSTANT) ? Long.parseLong(f[5]) * 1000 : LONG_AGO));
            }
        }
        return jobs;
    }

    /** All submissions whose instant and size are known. */
    private static List<LaterArrivals.Submitted> submitted(List<String[]> rows) {
        List<LaterArrivals.Submitted> jobs = new ArrayList<>();
        for (String[] f : rows) {
            if (f[5].matches(INSTANT) && f[8].matches(COUNT) && f[9].matches(COUNT)) {
                jobs.add(new LaterArrivals.Submitted(
                        f[0],
                        f[6],
                        f[7],
                        Integer.parseInt(f[8]),
                        Integer.parseInt(f[9]),
                        Long.parseLong(f[2]) * MINUTE,
                        Long.parseLong(f[5]) * 1000));
            }
        }
        return jobs;
    }

    /** Finds jobs that have ended since the previous snapshot. */
    private void compare(SlurmSnapshot snapshot) {
        Map<Long, SlurmJob> now = new HashMap<>();
        Set<Long> there = new HashSet<>();
        for (SlurmJob job : snapshot.jobs()) {
            boolean runs = job.isRunning();
            if (runs && job.start() > 0 && job.limit() > 0 && job.limit() != Limit.UNLIMITED) {
                now.put(job.id(), job);
            }
            if (runs) {
                there.add(job.id());
            }
        }
        for (SlurmJob job : running.values()) {
            if (!there.contains(job.id()) && !accounted) {
                ends.add(job.user(), job.nodes(), job.limit(), Math.max(1, snapshot.at() - job.start()));
            }
        }
        running = now;
    }

    /**
     * A sampled variant of the snapshot, in which jobs use as much of their walltime as finished jobs did, with {@linkplain HiddenJobs hidden} ones and {@linkplain LaterArrivals later} ones.
     * Pilot jobs of the user last as they are known to.
     */
    synchronized SlurmSnapshot drawn(SlurmSnapshot snapshot, RandomStream random) {
        DrawnRuns runs = new DrawnRuns(random);
        List<SlurmJob> jobs = new ArrayList<>();
        double queued = 0;
        for (SlurmJob job : snapshot.jobs()) {
            boolean isRunning = job.isRunning();
            boolean known = job.limit() > 0 && job.limit() != Limit.UNLIMITED && (!isRunning || job.start() > 0);
            boolean ours = snapshot.isOwn(job) && BatchCommands.isPilotJob(job.name());
            if (!known || ours || (!isRunning && !job.isWaiting())) {
                jobs.add(job);
                continue;
            }
            SlurmJob drawn = drawn(job, snapshot.at(), runs);
            jobs.add(drawn);
            queued += isRunning ? 0 : (double) drawn.tasks() * drawn.nodes() * drawn.limit();
        }
        // Users submit less to a long queue: it may grow to twice its length.
        double arrived = 0;
        for (SlurmJob job : arrivals.drawn(snapshot, random.split("later"))) {
            double room = queued + (double) snapshot.priority().nodes() * (job.start() - snapshot.at());
            if (arrived <= room) {
                SlurmJob drawn = drawn(job, snapshot.at(), runs);
                jobs.add(drawn);
                arrived += (double) drawn.nodes() * drawn.limit();
            }
        }
        jobs.addAll(HiddenJobs.drawn(snapshot, random));
        return snapshot.with(jobs);
    }

    /** A job with a sampled run time as its limit. */
    private SlurmJob drawn(SlurmJob job, long now, DrawnRuns runs) {
        boolean isRunning = job.isRunning();
        int user = SharedEnds.number(job.user());
        long elapsed = isRunning ? Math.max(0, now - job.start()) : 0;
        double[] parts = correction.parts(user, job.nodes(), job.limit(), elapsed);
        long run = runs.run(user, parts, job.limit(), Math.min(elapsed, job.limit() - 1));
        return job.lasting(run, isRunning ? Math.max(now + 1, job.start() + run) : job.end());
    }
}
