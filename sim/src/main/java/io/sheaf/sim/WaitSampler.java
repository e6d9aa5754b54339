package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.manager.Request;
import io.sheaf.predict.DrawnRuns;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Samples the wait of a job by simulating the queue forward many times, each time with other ends of the jobs in it and other arrivals.
 *
 * <p>The scheduler plans with walltimes. Ends of jobs are sampled from the {@linkplain RequestCorrection correction} of their requests, arrivals from
 * {@linkplain PastArrivals past arrivals}. No future information is used.
 *
 * @param correction the learnt correction of requests
 * @param draws the number of sampled waits; fewer in a deep queue, but at least 20
 * @param day the length of a day of the queue, in milliseconds: shorter for accelerated queues
 */
record WaitSampler(RequestCorrection correction, int draws, long day) {
    /** The maximum of samples × queued jobs: deeper queues get fewer samples. */
    private static final int MUCH = 40_000;

    private static final int FEW = 20;

    /**
     * Sampled waits of a job that is submitted now, ascending, in milliseconds.
     *
     * @param queue the present queue; own jobs in it use their full walltime
     * @param estimate the scheduler's estimate of the wait
     */
    long[] waits(KnownQueue queue, Request request, long estimate, RandomStream random) {
        // Arrivals are sampled for 1.5 times the wait without arrivals, plus half a day.
        Futures futures = new Futures(queue, request, estimate + estimate / 2 + day / 2);
        int enough = Math.max(FEW, MUCH / (1 + queue.engine().queued()));
        long[] waits = new long[Math.min(draws, enough)];
        for (int i = 0; i < waits.length; i++) {
            waits[i] = futures.wait(random.split(i));
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

    /** The sampled futures of a new job in a queue. */
    private final class Futures {
        private final BatchEngine engine;
        private final JobLog log;
        private final long now;
        private final Request request;
        private final long horizon;
        private final PastArrivals past;
        /** The possible used fractions of each background job in the queue, by handle; null if there is none. */
        private final double[][] parts;

        /** The number of running and queued jobs. */
        private final int present;

        private final int[] users;
        /** The same for sampled arrivals, cached because samples repeat days. */
        private final Map<Integer, double[]> used = new HashMap<>();
        /** The initial horizon of sampled arrivals. */
        private long reach = day / 8;

        Futures(KnownQueue queue, Request request, long horizon) {
            engine = queue.engine();
            log = queue.past();
            now = queue.now();
            this.request = request;
            this.horizon = horizon;
            past = new PastArrivals(log, queue.known(), now, day);
            parts = new double[engine.handles()][];
            users = new int[parts.length];
            boolean[] live = live(engine);
            int alive = 0;
            for (int handle = 0; handle < parts.length; handle++) {
                alive += live[handle] ? 1 : 0;
                int job = live[handle] ? queue.jobOf().applyAsInt(handle) : -1;
                if (job >= 0) {
                    users[handle] = log.user(job);
                    parts[handle] = correction.parts(
                            log.user(job), log.nodes(job), log.requested(job), elapsed(engine, handle, now));
                }
            }
            present = alive;
        }

        /**
         * The wait in one future. Arrivals after its start are irrelevant, so the horizon of arrivals is extended only if needed; the result is the
         * same.
         */
        long wait(RandomStream random) {
            for (long ahead = Math.min(horizon, reach); ; ahead = Math.min(horizon, 4 * ahead)) {
                long start = start(random, ahead);
                if (start >= 0) {
                    reach = Math.max(reach, start - now);
                    return start - now;
                }
            }
        }

        /** Its start; −1 if it is beyond the horizon of arrivals. */
        private long start(RandomStream random, long ahead) {
            DrawnRuns runsOf = new DrawnRuns(random);
            long[] runs = new long[parts.length];
            for (int handle = 0; handle < parts.length; handle++) {
                runs[handle] = parts[handle] == null
                        ? engine.walltime(handle)
                        : runsOf.run(
                                users[handle], parts[handle], engine.walltime(handle), elapsed(engine, handle, now));
            }
            JobLog.Builder coming = JobLog.builder();
            coming.add(0, now, request.walltime(), request.walltime(), request.units(), Math.max(0, engine.ownUser()))
                    .memory(request.node().memory());
            past.draw(ahead, random.split("days"), (job, at) -> {
                double[] parts = used.computeIfAbsent(
                        job, each -> correction.parts(log.user(each), log.nodes(each), log.requested(each), 0));
                long limit = log.requested(job);
                coming.addLike(log, job, at, runsOf.run(log.user(job), parts, limit, 0));
            });
            SimulatedQueue rollout = SimulatedQueue.of(engine, now, coming.build(), handle -> runs[handle]);
            Start start = new Start(present);
            while (start.at < 0 && (ahead >= horizon || rollout.next() < now + ahead)) {
                rollout.step(start);
            }
            return start.at;
        }
    }

    /** Waits for a job to start. */
    private static final class Start extends BackgroundReports {
        private final int job;
        long at = -1;

        Start(int job) {
            this.job = job;
        }

        @Override
        public void backgroundStarted(int started, long instant) {
            if (started == job) {
                at = instant;
            }
        }
    }
}
