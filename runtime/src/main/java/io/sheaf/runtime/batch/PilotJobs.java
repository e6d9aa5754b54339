package io.sheaf.runtime.batch;

import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchJob.Phase;
import io.sheaf.runtime.cluster.RunClock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All pilot jobs of a run: each change of state is logged, and reported when it is durable. */
final class PilotJobs {
    /**
     * The time until a job whose pilot job has ended, and which the batch system may still have, is cancelled, in
     * milliseconds.
     */
    private static final long LEFT_TIMEOUT = 20_000;

    private final BatchLog log;
    private final RunClock clock;
    private final Map<Long, BatchJob> jobs;
    private final Queue<Event> events = new ArrayDeque<>();
    private long ends;
    private boolean dirty;

    /** The pilot jobs in the log, in their recorded state. */
    PilotJobs(BatchLog log, RunClock clock) throws IOException {
        this.log = log;
        this.clock = clock;
        jobs = log.replay();
    }

    @Nullable
    BatchJob get(long token) {
        return jobs.get(token);
    }

    Collection<BatchJob> all() {
        return new ArrayList<>(jobs.values());
    }

    /** Makes all changes durable and reports them. */
    void commit() throws IOException {
        if (dirty) {
            log.journal().commit();
            dirty = false;
        }
    }

    void drainTo(Consumer<Event> to) {
        while (!events.isEmpty()) {
            to.accept(events.remove());
        }
    }

    BatchJob add(long token, Request request) {
        BatchJob job = log.newJob(token, request, now());
        jobs.put(token, job);
        log.requested(job.submittedAt, token, request);
        return job;
    }

    void requestEnd(BatchJob job, Event.End end) {
        if (job.requestedEnd == null) {
            job.requestedEnd = end;
            log.endRequested(now(), job, end);
        }
    }

    void shorten(BatchJob job, long walltime) {
        job.request = job.request.lasting(walltime);
        log.shortened(now(), job);
    }

    /** Records that the batch system granted less than the request. */
    void granted(BatchJob job, JobFolder.Grant grant) {
        long walltime = Math.min(grant.walltime(), job.request.walltime());
        int nodes = Math.min(grant.nodes(), job.request.units());
        if (walltime < job.request.walltime() || nodes < job.request.units()) {
            shorten(job, walltime);
            job.request = job.request.on(nodes);
            events.add(new Event.Granted(now(), job.token, nodes, walltime));
        }
    }

    void accepted(BatchJob job, long number) {
        numbered(job, number);
        job.phase = Phase.QUEUED;
        job.lost = false;
        events.add(new Event.Accepted(now(), job.token));
        if (job.requestedEnd != null) {
            job.cancelAt = now();
        }
    }

    /** Records the job's number. */
    void numbered(BatchJob job, long number) {
        job.job = number;
        job.acceptedAt = now();
        log.accepted(job.acceptedAt, job);
    }

    /**
     * Records a start. Its instant may come from another clock or be in whole seconds, but it is not before the end
     * of its predecessor.
     */
    void started(BatchJob job, long at) {
        BatchJob before = jobs.get(job.request.afterToken());
        long earliest = before == null ? job.submittedAt : Math.max(job.submittedAt, before.endedAt);
        job.startedAt = Math.max(earliest, Math.min(at, now()));
        job.phase = Phase.RUNNING;
        log.started(now(), job);
        report(job);
    }

    void refused(BatchJob job, String why) {
        job.phase = Phase.REFUSED;
        job.why = why;
        job.endedAt = now();
        log.refused(job.endedAt, job);
        report(job);
    }

    /** Reports that the batch system does not take a job now, if others wait with it: the manager may merge them. */
    void limited(BatchJob job) {
        Stream<BatchJob> waiting =
                jobs.values().stream().filter(each -> each.phase == Phase.REQUESTED && each.requestedEnd == null);
        if (waiting.count() > 1) {
            events.add(new Event.Limited(clock.millis(), job.token));
        }
    }

    void lost(BatchJob job, int node) {
        events.add(new Event.NodeLost(now(), job.token, node));
    }

    void silent(BatchJob job, String host) {
        events.add(new Event.NodeSilent(clock.millis(), job.token, host));
    }

    void end(BatchJob job, Event.End end) {
        ends++;
        boolean known = job.finalState != null || job.job == BatchCommands.UNKNOWN;
        job.phase = Phase.ENDED;
        job.end = end;
        job.endedAt = now();
        job.cancelAt = known ? Long.MAX_VALUE : job.endedAt + (job.suspicious ? 0 : LEFT_TIMEOUT);
        log.ended(job.endedAt, job);
        report(job);
    }

    /** The number of pilot jobs that have ended in this process. */
    long ends() {
        return ends;
    }

    /** Reports a pilot job without a record. */
    void unknown(long token) {
        events.add(new Event.Ended(now(), token, Event.End.LOST));
    }

    /** Reports the state of a pilot job again. */
    void report(BatchJob job) {
        switch (job.phase) {
            case REFUSED -> events.add(new Event.Refused(job.endedAt, job.token, job.why));
            case QUEUED -> events.add(new Event.Accepted(job.submittedAt, job.token));
            case RUNNING -> events.add(new Event.Started(job.startedAt, job.token, false));
            case ENDED -> events.add(new Event.Ended(job.endedAt, job.token, job.end));
            case REQUESTED -> {
                // Its submission's answer is pending.
            }
        }
    }

    private long now() {
        // Callers read the time in order to log it.
        dirty = true;
        return clock.millis();
    }

    /** Jobs whose pilot job has ended and that the batch system may still have. */
    List<BatchJob> leftInQueue() {
        return jobs.values().stream()
                .filter(job -> job.phase == Phase.ENDED && job.cancelAt != Long.MAX_VALUE)
                .filter(PilotJobs::isLeft)
                .toList();
    }

    /**
     * Whether an ended job is to be cancelled because the batch system may still have it. Either way it is not one of {@link #leftInQueue} any more.
     */
    boolean removeLeft(BatchJob job) {
        job.cancelAt = Long.MAX_VALUE;
        return isLeft(job);
    }

    private static boolean isLeft(BatchJob job) {
        return job.suspicious || !job.folder.isEnded();
    }
}
