package io.sheaf.sim;

import static io.sheaf.batch.BatchEngine.NEVER;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Submission;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** A simple replay as a reference: future events are objects in a sorted set. */
final class PlainReplay {
    private enum Kind {
        END,
        KILL,
        CANCELLATION
    }

    private record Event(long at, Kind kind, int job) {}

    private final JobLog log;
    private final BatchEngine scheduler;
    private final Seen seen;
    private final int[] handleOf;
    private final Map<Integer, Integer> jobOf = new HashMap<>();
    private final TreeSet<Event> events = new TreeSet<>(
            Comparator.comparingLong(Event::at).thenComparing(Event::kind).thenComparingInt(Event::job));
    private int arrived;

    private PlainReplay(JobLog log, BatchEngine scheduler) {
        this.log = log;
        this.scheduler = scheduler;
        seen = new Seen(log.size());
        handleOf = new int[log.size()];
    }

    static Seen run(JobLog log, BatchEngine scheduler) {
        PlainReplay replay = new PlainReplay(log, scheduler);
        for (long now = replay.next(); now != NEVER; now = replay.next()) {
            replay.instant(now);
        }
        return replay.seen;
    }

    private long next() {
        long event = events.isEmpty() ? NEVER : events.first().at;
        long arrival = arrived < log.size() ? log.submit(arrived) : NEVER;
        return Math.min(Math.min(event, arrival), scheduler.nextPass());
    }

    private void instant(long now) {
        while (!events.isEmpty() && events.first().at == now) {
            Event e = events.first();
            events.remove(e);
            if (e.kind == Kind.CANCELLATION) {
                scheduler.cancel(handleOf[e.job], now);
                seen.backgroundLeft(e.job, now, JobOutcome.CANCELLED);
            } else {
                scheduler.complete(handleOf[e.job], now);
                seen.backgroundLeft(e.job, now, e.kind == Kind.END ? JobOutcome.COMPLETED : JobOutcome.KILLED);
            }
        }
        while (arrived < log.size() && log.submit(arrived) == now) {
            arrive(arrived++);
        }
        int[] started = new int[scheduler.queued()];
        int n = scheduler.pass(now, started);
        for (int i = 0; i < n; i++) {
            start(Objects.requireNonNull(jobOf.get(started[i])), now);
        }
    }

    private void arrive(int job) {
        Submission request = Submission.of(log.nodes(job), log.requested(job)).user(log.user(job));
        int handle = scheduler.submit(log.submit(job), request);
        if (handle < 0) {
            seen.backgroundLeft(job, log.submit(job), JobOutcome.REFUSED);
            return;
        }
        handleOf[job] = handle;
        jobOf.put(handle, job);
        if (log.patience(job) != JobLog.PATIENT) {
            events.add(new Event(log.submit(job) + log.patience(job), Kind.CANCELLATION, job));
        }
    }

    private void start(int job, long now) {
        if (log.patience(job) != JobLog.PATIENT) {
            events.remove(new Event(log.submit(job) + log.patience(job), Kind.CANCELLATION, job));
        }
        boolean killed = log.run(job) > log.requested(job);
        long end = now + Math.min(log.run(job), log.requested(job));
        events.add(new Event(end, killed ? Kind.KILL : Kind.END, job));
        seen.backgroundStarted(job, now);
    }
}
