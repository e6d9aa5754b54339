package io.sheaf.spool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A batch system on this machine: jobs are scripts that start first come, first served while nodes are free, and are
 * killed at their time limit.
 */
public final class Spool implements AutoCloseable {
    private static final int POLL_MILLIS = 100;

    private final int nodes;
    private final Map<Long, Job> jobs = new TreeMap<>();
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> polling;
    private long last;

    /** The state of a job; ended jobs are remembered. */
    enum Stage {
        WAITS,
        RUNS,
        ENDED,
        TIME_OVER,
        DELETED
    }

    /** A job that was submitted. */
    static final class Job {
        final String name;
        final Path script;
        final int size;
        long limitMillis;
        final long notBefore;
        final long after;
        Stage stage = Stage.WAITS;
        long startedAt = -1;

        @Nullable
        Process process;

        Job(String name, Path script, int size, long limitMillis, long notBefore, long after) {
            this.name = name;
            this.script = script;
            this.size = size;
            this.limitMillis = limitMillis;
            this.notBefore = notBefore;
            this.after = after;
        }
    }

    public Spool(int nodes) {
        this.nodes = nodes;
        polling = scheduler.scheduleWithFixedDelay(this::poll, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    synchronized long submit(Job job) {
        jobs.put(++last, job);
        return last;
    }

    synchronized void delete(long number) {
        Job job = jobs.get(number);
        if (job != null) {
            end(job, Stage.DELETED);
        }
    }

    /** Ends all jobs. */
    public synchronized void deleteAll() {
        jobs.values().forEach(job -> end(job, Stage.DELETED));
    }

    /** Whether no job waits or runs. */
    public synchronized boolean isEmpty() {
        return jobs.values().stream().noneMatch(Spool::isActive);
    }

    synchronized boolean shorten(long number, long limitMillis) {
        Job job = jobs.get(number);
        if (job == null || job.stage != Stage.WAITS) {
            return false;
        }
        job.limitMillis = limitMillis;
        return true;
    }

    synchronized Map<Long, Job> jobs() {
        return new LinkedHashMap<>(jobs);
    }

    static boolean isActive(Job job) {
        return job.stage == Stage.WAITS || job.stage == Stage.RUNS;
    }

    private synchronized void poll() {
        long now = System.currentTimeMillis();
        int free = nodes;
        for (Job job : jobs.values()) {
            if (job.stage == Stage.RUNS && job.process != null && !job.process.isAlive()) {
                end(job, Stage.ENDED);
            } else if (job.stage == Stage.RUNS && now >= job.startedAt + job.limitMillis) {
                end(job, Stage.TIME_OVER);
            }
            free -= job.stage == Stage.RUNS ? job.size : 0;
        }
        for (Map.Entry<Long, Job> each : jobs.entrySet()) {
            Job job = each.getValue();
            Job before = jobs.get(job.after);
            boolean eligible = now >= job.notBefore && (before == null || !isActive(before));
            if (job.stage == Stage.WAITS && eligible && job.size > free) {
                return;
            }
            if (job.stage == Stage.WAITS && eligible) {
                start(each.getKey(), job, now);
                free -= job.size;
            }
        }
    }

    private static void start(long number, Job job, long now) {
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", job.script.toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD);
        builder.environment().put("SPOOL_JOB", Long.toString(number));
        try {
            job.process = builder.start();
            job.startedAt = now;
            job.stage = Stage.RUNS;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void end(Job job, Stage how) {
        if (isActive(job)) {
            job.stage = how;
            if (job.process != null) {
                job.process.descendants().forEach(ProcessHandle::destroyForcibly);
                job.process.destroyForcibly();
            }
        }
    }

    @Override
    public void close() {
        polling.cancel(false);
        scheduler.shutdownNow();
        deleteAll();
    }
}
