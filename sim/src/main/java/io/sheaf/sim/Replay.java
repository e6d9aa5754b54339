package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Replays a job log through a batch scheduler and records the outcome of each job: a {@link SimulatedQueue} simulated to its end without own jobs.
 */
public final class Replay {
    private Replay() {}

    /** The number of started jobs between two calls of a watcher, less one. */
    private static final int WATCH_MASK = 0xff;

    /** Replays the whole log; the engine must be empty. */
    public static ReplayResult run(JobLog log, BatchEngine engine) {
        return run(log, engine, jobs -> {});
    }

    /** Replays the whole log and reports the number of jobs that have started from time to time. */
    public static ReplayResult run(JobLog log, BatchEngine engine, IntConsumer watcher) {
        Recording record = new Recording(log.size(), engine, watcher);
        new SimulatedQueue(log, engine, 0).runToEnd(record);
        return new ReplayResult(log, record.start, record.end, record.outcome, record.firstNode, record.events);
    }

    private static final class Recording extends BackgroundReports {
        final long[] start;
        final long[] end;
        final JobOutcome[] outcome;
        /** Empty if nodes are counted. */
        final int[] firstNode;
        /** Counts arrivals, too. */
        long events;

        private final BatchEngine engine;
        private final IntConsumer watcher;
        private int started;

        Recording(int jobs, BatchEngine engine, IntConsumer watcher) {
            this.engine = engine;
            this.watcher = watcher;
            start = new long[jobs];
            end = new long[jobs];
            outcome = new JobOutcome[jobs];
            firstNode = new int[engine.policy().placement() == Policy.NodeSelection.CONTIGUOUS ? jobs : 0];
            events = jobs;
            Arrays.fill(firstNode, -1);
            Arrays.fill(start, ReplayResult.NEVER);
            Arrays.fill(end, ReplayResult.NEVER);
            Arrays.fill(outcome, JobOutcome.STUCK);
        }

        @Override
        public void backgroundStarted(int job, long at) {
            start[job] = at;
            if ((++started & WATCH_MASK) == 0) {
                watcher.accept(started);
            }
            events++;
        }

        @Override
        public void backgroundLeft(int job, long at, JobOutcome result) {
            outcome[job] = result;
            if (result == JobOutcome.COMPLETED || result == JobOutcome.KILLED) {
                end[job] = at;
            }
            events += result == JobOutcome.REFUSED ? 0 : 1;
        }

        @Override
        public void backgroundStartedAs(int job, int handle) {
            if (firstNode.length > 0) {
                firstNode[job] = engine.firstNode(handle);
            }
        }
    }
}
