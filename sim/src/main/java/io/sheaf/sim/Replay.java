package io.sheaf.sim;

import io.sheaf.batch.BatchScheduler;
import io.sheaf.batch.InstantHeap;
import io.sheaf.batch.Submission;
import java.util.Arrays;

/**
 * Replays a job log through a batch scheduler: the log says who comes when and how long each job really runs, the scheduler
 * says who starts.
 *
 * <p>An instant is played in the micro-steps that {@link BatchScheduler} fixes: ends by themselves in order of submission, kills,
 * withdrawals, arrivals, one pass; then again, as long as jobs of no length end at once. Between two events nothing happens,
 * so time jumps.
 */
public final class Replay {
    /** What falls on one instant goes in this order; the job's number is the tie-break behind it. */
    private static final long END = 0;

    private static final long KILL = 1L << 40;
    private static final long WITHDRAWAL = 2L << 40;

    /** Is told how far a replay has come. */
    @FunctionalInterface
    public interface Watcher {
        /** So many jobs of the log have arrived; called from time to time. */
        void arrived(int jobs);
    }

    /** How many jobs arrive between two calls of a watcher, less one: seldom enough to cost nothing. */
    private static final int WATCH_MASK = 0xff;

    private final JobLog log;
    private final BatchScheduler scheduler;
    private final Watcher watcher;
    private final InstantHeap coming = new InstantHeap();
    private final Submission request = new Submission();
    private final long[] start;
    private final long[] end;
    private final Outcome[] outcome;
    /** Handle of each queued or running job, -1 for others; and the other way round. */
    private final int[] handle;

    private int[] jobOf = new int[64];
    private int[] started = new int[64];
    private int next;
    private long events;

    private Replay(JobLog log, BatchScheduler scheduler, Watcher watcher) {
        this.log = log;
        this.scheduler = scheduler;
        this.watcher = watcher;
        start = new long[log.size()];
        end = new long[log.size()];
        outcome = new Outcome[log.size()];
        handle = new int[log.size()];
        Arrays.fill(start, Replayed.NEVER);
        Arrays.fill(end, Replayed.NEVER);
        Arrays.fill(outcome, Outcome.STUCK);
        Arrays.fill(handle, -1);
    }

    /** Plays the whole log; the scheduler must be empty. */
    public static Replayed run(JobLog log, BatchScheduler scheduler) {
        return run(log, scheduler, jobs -> {});
    }

    /** Plays the whole log, and tells how far it has come. */
    public static Replayed run(JobLog log, BatchScheduler scheduler, Watcher watcher) {
        Replay replay = new Replay(log, scheduler, watcher);
        replay.play();
        return new Replayed(log, replay.start, replay.end, replay.outcome, replay.events);
    }

    private void play() {
        while (true) {
            long arrival = next < log.size() ? log.submit(next) : BatchScheduler.NEVER;
            long now = Math.min(Math.min(coming.first(), arrival), scheduler.nextPass());
            if (now == BatchScheduler.NEVER) {
                return;
            }
            while (coming.first() == now) {
                happen(now, coming.firstTie(), coming.remove());
            }
            while (next < log.size() && log.submit(next) == now) {
                arrive(next++, now);
            }
            pass(now);
        }
    }

    private void happen(long now, long tie, int job) {
        if (tie < WITHDRAWAL) {
            scheduler.complete(handle[job], now);
            end[job] = now;
            outcome[job] = tie < KILL ? Outcome.COMPLETED : Outcome.KILLED;
        } else if (handle[job] >= 0 && start[job] == Replayed.NEVER) {
            scheduler.cancel(handle[job], now);
            outcome[job] = Outcome.WITHDRAWN;
        } else {
            return;
        }
        handle[job] = -1;
        events++;
    }

    private void arrive(int job, long now) {
        request.size(log.nodes(job), log.requested(job)).user(log.user(job));
        int h = scheduler.submit(now, request);
        events++;
        if ((job & WATCH_MASK) == WATCH_MASK) {
            watcher.arrived(job + 1);
        }
        if (h < 0) {
            outcome[job] = Outcome.REFUSED;
            return;
        }
        if (h >= jobOf.length) {
            jobOf = Arrays.copyOf(jobOf, 2 * h);
        }
        handle[job] = h;
        jobOf[h] = job;
        if (log.patience(job) != JobLog.PATIENT) {
            coming.add(now + log.patience(job), WITHDRAWAL + job, job);
        }
    }

    private void pass(long now) {
        if (started.length < scheduler.queued()) {
            started = new int[2 * scheduler.queued()];
        }
        int n = scheduler.pass(now, started);
        for (int i = 0; i < n; i++) {
            int job = jobOf[started[i]];
            start[job] = now;
            boolean killed = log.run(job) > log.requested(job);
            coming.add(now + Math.min(log.run(job), log.requested(job)), (killed ? KILL : END) + job, job);
            events++;
        }
    }
}
