package io.sheaf.slurm;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.manager.Event;
import io.sheaf.manager.Request;
import io.sheaf.runtime.RunClock;
import io.sheaf.slurm.SlurmJob.Phase;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All placeholders of a run: how far each is goes into the log first, and is told when that is durable. */
final class Placeholders {
    /** What is over for us, and may not be for Slurm, is cancelled after this. */
    private static final long LEFT_PATIENCE = 20_000;

    private final SlurmLog log;
    private final RunClock clock;
    private final Map<Long, SlurmJob> jobs;
    private final Queue<Event> told = new ArrayDeque<>();
    private boolean dirty;

    /** Those of the log, as they were. */
    Placeholders(SlurmLog log, RunClock clock) throws IOException {
        this.log = log;
        this.clock = clock;
        jobs = log.replay();
    }

    @Nullable
    SlurmJob get(long token) {
        return jobs.get(token);
    }

    Collection<SlurmJob> all() {
        return new ArrayList<>(jobs.values());
    }

    /** Tells everything that has happened, when it is durable. */
    void commit() throws IOException {
        if (dirty) {
            log.commit();
            dirty = false;
        }
    }

    void tellTo(Consumer<Event> to) {
        while (!told.isEmpty()) {
            to.accept(told.remove());
        }
    }

    SlurmJob ask(long token, Request request) {
        SlurmJob job = new SlurmJob(token, request, now());
        jobs.put(token, job);
        log.asked(job.submittedAt, token, request);
        return job;
    }

    void want(SlurmJob job, Event.End how) {
        if (job.wanted == null) {
            job.wanted = how;
            log.wanted(now(), job, how);
        }
    }

    void shorten(SlurmJob job, long walltime) {
        job.request = SlurmLog.shortened(job.request, walltime);
        log.shortened(now(), job);
    }

    void accepted(SlurmJob job, long number) {
        numbered(job, number);
        job.phase = Phase.QUEUED;
        job.lost = false;
        told.add(new Event.Accepted(now(), job.token));
        if (job.wanted != null) {
            job.cancelAt = now();
        }
    }

    /** Which job of Slurm it is. */
    void numbered(SlurmJob job, long number) {
        job.job = number;
        log.accepted(now(), job);
    }

    /** It started; at an instant of another clock, perhaps. */
    void started(SlurmJob job, long at) {
        job.startedAt = Math.max(job.submittedAt, Math.min(at, now()));
        job.phase = Phase.RUNNING;
        log.started(now(), job);
        tell(job);
    }

    void refused(SlurmJob job, String why) {
        job.phase = Phase.REFUSED;
        job.why = why;
        job.endedAt = now();
        log.refused(job.endedAt, job);
        tell(job);
    }

    void lost(SlurmJob job, int node) {
        told.add(new Event.NodeLost(now(), job.token, node));
    }

    void end(SlurmJob job, Event.End how) {
        boolean known = !job.finalState.isEmpty() || job.job == SlurmJob.UNKNOWN;
        job.phase = Phase.OVER;
        job.how = how;
        job.endedAt = now();
        job.cancelAt = known ? Long.MAX_VALUE : job.endedAt + (job.suspicious ? 0 : LEFT_PATIENCE);
        log.ended(job.endedAt, job);
        tell(job);
    }

    /** A placeholder of which there is no record. */
    void unknown(long token) {
        told.add(new Event.Ended(now(), token, Event.End.LOST));
    }

    /** Tells how far a placeholder is, once more. */
    void tell(SlurmJob job) {
        switch (job.phase) {
            case REFUSED -> told.add(new Event.Refused(job.endedAt, job.token, job.why));
            case QUEUED -> told.add(new Event.Accepted(job.submittedAt, job.token));
            case RUNNING -> told.add(new Event.Started(job.startedAt, job.token, false));
            case OVER -> told.add(new Event.Ended(job.endedAt, job.token, job.how));
            case ASKED -> {
                // Its answer is on its way.
            }
        }
    }

    private long now() {
        // Whoever asks for the time is about to write it down.
        dirty = true;
        return clock.millis();
    }

    /** Jobs that are over for us, and that Slurm may still have. */
    List<SlurmJob> left(RunFolder run) {
        List<SlurmJob> left = new ArrayList<>();
        for (SlurmJob job : jobs.values()) {
            boolean open = job.phase == Phase.OVER && job.cancelAt != Long.MAX_VALUE;
            if (open && (job.suspicious || !Marks.of(run, job.token).isEnded())) {
                left.add(job);
            }
        }
        return left;
    }
}
