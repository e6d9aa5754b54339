package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.predict.DrawnRuns;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How long a job would wait, as a sample of what may happen: the queue as it is played on many times, each time with other ends of the jobs in it and other arrivals.
 *
 * <p>The scheduler plans with limits, as it does; when jobs end is drawn from the {@linkplain RequestCorrection correction} of their requests, who comes from {@linkplain PastArrivals past
 * arrivals}. Nothing of the future is looked at.
 */
public final class WaitForecaster {
    /** Arrivals are drawn for the time that the job would wait without any, half as much again, and so long. */
    private static final long HORIZON = 12 * 3_600_000L;

    private final JobLog log;
    private final RequestCorrection correction;
    private final int draws;

    /**
     * A forecaster for a queue of this log.
     *
     * @param correction what was learnt so far
     * @param draws how many waits to draw
     */
    public WaitForecaster(JobLog log, RequestCorrection correction, int draws) {
        this.log = log;
        this.correction = correction;
        this.draws = draws;
    }

    /**
     * Waits that a job may have which is submitted now, ascending, in milliseconds.
     *
     * @param queue as it is now, with all who came before
     * @param known how many jobs of the log have come so far
     * @param estimate the wait as the scheduler would tell it
     */
    public long[] waits(
            SimulatedQueue queue, int known, int nodes, long requested, long estimate, RandomStream random) {
        BatchEngine engine = queue.engine();
        long now = queue.now();
        double[][] parts = new double[engine.handles()][];
        int[] users = new int[parts.length];
        boolean[] live = live(engine);
        for (int handle = 0; handle < parts.length; handle++) {
            int job = queue.backgroundJob(handle);
            if (job >= 0 && live[handle]) {
                users[handle] = log.user(job);
                parts[handle] = correction.parts(
                        log.user(job), log.nodes(job), log.requested(job), elapsed(engine, handle, now));
            }
        }
        PastArrivals past = new PastArrivals(log, known, now);
        // The same days come in many draws.
        Map<Integer, double[]> used = new HashMap<>();
        long horizon = estimate + estimate / 2 + HORIZON;
        long[] waits = new long[draws];
        for (int i = 0; i < draws; i++) {
            RandomStream draw = random.split(i);
            waits[i] = wait(engine, now, nodes, requested, parts, users, past, used, horizon, draw);
        }
        Arrays.sort(waits);
        return waits;
    }

    private static boolean[] live(BatchEngine engine) {
        boolean[] live = new boolean[engine.handles()];
        for (int handle = 0; handle < live.length; handle++) {
            live[handle] = engine.isRunning(handle);
        }
        for (int i = 0; i < engine.queued(); i++) {
            live[engine.queued(i)] = true;
        }
        return live;
    }

    private static long elapsed(BatchEngine engine, int handle, long now) {
        return engine.isRunning(handle) ? now - engine.start(handle) : 0;
    }

    private long wait(
            BatchEngine engine,
            long now,
            int nodes,
            long requested,
            double[][] parts,
            int[] users,
            PastArrivals past,
            Map<Integer, double[]> used,
            long horizon,
            RandomStream random) {
        JobLog.Builder coming = JobLog.builder();
        coming.add(0, now, requested, requested, nodes, 0);
        DrawnRuns runsOf = new DrawnRuns(random);
        past.draw(horizon, random.split("days"), (job, at) -> {
            long asked = log.requested(job);
            double[] some =
                    used.computeIfAbsent(job, each -> correction.parts(log.user(each), log.nodes(each), asked, 0));
            coming.add(0, at, runsOf.run(log.user(job), some, asked, 0), asked, log.nodes(job), 0);
        });
        long[] runs = new long[parts.length];
        int present = 0;
        for (int handle = 0; handle < parts.length; handle++) {
            if (parts[handle] != null) {
                present++;
                runs[handle] =
                        runsOf.run(users[handle], parts[handle], engine.walltime(handle), elapsed(engine, handle, now));
            }
        }
        SimulatedQueue thought = SimulatedQueue.of(engine, now, coming.build(), handle -> runs[handle]);
        Start start = new Start(present);
        while (start.at < 0) {
            thought.step(start);
        }
        return start.at - now;
    }

    /** Waits for a job to start. */
    private static final class Start extends BackgroundReports {
        private final int job;
        long at = -1;

        Start(int job) {
            this.job = job;
        }

        @Override
        public void backgroundStarted(int which, long instant) {
            if (which == job) {
                at = instant;
            }
        }
    }
}
