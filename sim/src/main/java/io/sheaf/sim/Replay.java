package io.sheaf.sim;

import io.sheaf.batch.BatchScheduler;
import java.util.Arrays;

/**
 * Replays a job log through a batch scheduler, and records what becomes of each job: a {@link SimulatedQueue} that is played
 * to its end without jobs of our own.
 */
public final class Replay {
    private Replay() {}

    /** Plays the whole log; the scheduler must be empty. */
    public static Replayed run(JobLog log, BatchScheduler scheduler) {
        Recording record = new Recording(log.size());
        new SimulatedQueue(log, scheduler, 0).playOut(record);
        return new Replayed(log, record.start, record.end, record.outcome, record.events);
    }

    private static final class Recording extends BackgroundReports {
        final long[] start;
        final long[] end;
        final Outcome[] outcome;
        /** Every job arrives. */
        long events;

        Recording(int jobs) {
            start = new long[jobs];
            end = new long[jobs];
            outcome = new Outcome[jobs];
            events = jobs;
            Arrays.fill(start, Replayed.NEVER);
            Arrays.fill(end, Replayed.NEVER);
            Arrays.fill(outcome, Outcome.STUCK);
        }

        @Override
        public void backgroundStarted(int job, long at) {
            start[job] = at;
            events++;
        }

        @Override
        public void backgroundLeft(int job, long at, Outcome how) {
            outcome[job] = how;
            if (how == Outcome.COMPLETED || how == Outcome.KILLED) {
                end[job] = at;
            }
            events += how == Outcome.REFUSED ? 0 : 1;
        }
    }
}
