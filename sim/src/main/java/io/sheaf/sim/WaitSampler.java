package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.predict.DrawnRuns;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Samples the wait of a job by simulating the queue forward many times, each time with other ends of the jobs in it and other arrivals.
 *
 * <p>The scheduler plans with limits, as it does. Ends of jobs are drawn from the {@linkplain RequestCorrection correction} of their requests, arrivals from {@linkplain PastArrivals past
 * arrivals}. Nothing of the future is used.
 */
final class WaitSampler {
    /** Draws times jobs that wait: where the queue is deeper, fewer futures are drawn, as each takes the longer. */
    private static final int MUCH = 40_000;

    private static final int FEW = 20;

    private final RequestCorrection correction;
    private final int draws;
    private final long day;

    /**
     * A sampler.
     *
     * @param correction what was learnt so far
     * @param draws how many waits to draw; fewer in a deep queue, but not less than 20 of them
     * @param day how long a day of the queue is, in milliseconds: less where everything happens faster
     */
    WaitSampler(RequestCorrection correction, int draws, long day) {
        this.correction = correction;
        this.draws = draws;
        this.day = day;
    }

    /**
     * Waits that a job may have which is submitted now, ascending, in milliseconds.
     *
     * @param queue as it is now, with all who came before; our own jobs in it take all their time
     * @param estimate the wait as the scheduler would tell it
     */
    long[] waits(KnownQueue queue, int nodes, long requested, long estimate, RandomStream random) {
        // Arrivals are drawn for the time that the job would wait without any, half as much again, and half a day.
        Futures futures = new Futures(queue, nodes, requested, estimate + estimate / 2 + day / 2);
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

    /** What may become of a job that comes into a queue. */
    private final class Futures {
        private final BatchEngine engine;
        private final JobLog log;
        private final long now;
        private final int nodes;
        private final long requested;
        private final long horizon;
        private final PastArrivals past;
        /** What each job of others in the queue may use of its request, by handle; null where there is none. */
        private final double[][] parts;

        /** How many jobs run or wait. */
        private final int present;

        private final int[] users;
        /** The same of jobs that may come: the same days come in many draws. */
        private final Map<Integer, double[]> used = new HashMap<>();
        /** How far ahead arrivals are drawn at first. */
        private long reach = day / 8;

        Futures(KnownQueue queue, int nodes, long requested, long horizon) {
            engine = queue.engine();
            log = queue.past();
            now = queue.now();
            this.nodes = nodes;
            this.requested = requested;
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

        /** How long it waits in one of them. Who comes after its start need not be drawn, so that arrivals are drawn farther ahead only when they have to be; the answer is the same. */
        long wait(RandomStream random) {
            for (long ahead = Math.min(horizon, reach); ; ahead = Math.min(horizon, 4 * ahead)) {
                long start = start(random, ahead);
                if (start >= 0) {
                    reach = Math.max(reach, start - now);
                    return start - now;
                }
            }
        }

        /** When it starts; −1 if not as far ahead as arrivals are drawn. */
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
            coming.add(0, now, requested, requested, nodes, 0);
            past.draw(ahead, random.split("days"), (job, at) -> {
                double[] some = used.computeIfAbsent(
                        job, each -> correction.parts(log.user(each), log.nodes(each), log.requested(each), 0));
                long asked = log.requested(job);
                coming.add(0, at, runsOf.run(log.user(job), some, asked, 0), asked, log.nodes(job), 0);
            });
            SimulatedQueue thought = SimulatedQueue.of(engine, now, coming.build(), handle -> runs[handle]);
            Start start = new Start(present);
            while (start.at < 0 && (ahead >= horizon || thought.next() < now + ahead)) {
                thought.step(start);
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
        public void backgroundStarted(int which, long instant) {
            if (which == job) {
                at = instant;
            }
        }
    }
}
