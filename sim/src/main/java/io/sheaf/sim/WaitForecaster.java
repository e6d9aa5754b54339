package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueOrder;
import io.sheaf.batch.Submission;
import io.sheaf.predict.CalibratedQuantiles;
import io.sheaf.predict.DrawnRuns;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.RankBound;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.predict.StartQuery;
import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts waits along a log from the past only: requests of ended jobs, waits of started jobs, and the errors of earlier forecasts.
 *
 * <p>It receives the starts of the replay in advance, and uses starts and ends only after they have passed.
 */
public final class WaitForecaster {
    /** A forecast before calibration, of a job with its submission and start. */
    private record Drawn(long submitted, long starts, Quantiles quantiles) {}

    /**
     * How waits are sampled.
     *
     * @param draws the number of sampled futures; fewer in a deep queue, but at least 20
     * @param day the length of a day of the queue, in milliseconds: shorter for accelerated queues
     */
    public record ForecastSettings(int draws, long seed, long day) {
        private static final long DAY = 86_400_000;

        /** For a queue that is not accelerated. */
        public ForecastSettings(int draws, long seed) {
            this(draws, seed, DAY);
        }
    }

    private static final long MINUTES_A_DAY = 24 * 60;

    private final JobLog log;
    private final long[] startOf;
    private final SimulatedQueue queue;
    private final RequestCorrection correction = new RequestCorrection();
    private final WaitSampler sampler;
    private final RankBound ranks = new RankBound();
    private final CalibratedQuantiles calibrated;
    private final PriorityQueue<Integer> running;
    private final PriorityQueue<Integer> waiting;
    private final PriorityQueue<Drawn> pending = new PriorityQueue<>(Comparator.comparingLong(Drawn::starts));
    private int known;

    /**
     * A forecaster at the beginning of a log.
     *
     * @param startOf the start of each job in the replay; negative if it does not start
     */
    WaitForecaster(JobLog log, Policy policy, int nodes, long[] startOf, ForecastSettings settings) {
        this.log = log;
        this.startOf = startOf;
        queue = new SimulatedQueue(log, policy, nodes);
        sampler = new WaitSampler(correction, settings);
        calibrated = new CalibratedQuantiles(settings.day / MINUTES_A_DAY);
        Comparator<Integer> byEnd = Comparator.comparingLong(this::end);
        running = new PriorityQueue<>(byEnd.thenComparingInt(job -> job));
        Comparator<Integer> byStart = Comparator.comparingLong(job -> startOf[job]);
        waiting = new PriorityQueue<>(byStart.thenComparingInt(job -> job));
    }

    /**
     * The forecast for a single job that is submitted now to a queue with background and own jobs. It learns from the past of the background without own
     * jobs.
     */
    public static WaitForecast in(KnownQueue queue, StartQuery job, ForecastSettings settings) {
        JobLog log = queue.past();
        BatchEngine engine = queue.engine();
        long[] startOf = replay(log, engine.policy(), engine.size(), queue.now());
        WaitForecaster forecaster = new WaitForecaster(log, engine.policy(), engine.size(), startOf, settings);
        new EvaluationJobs(log, startOf, settings.day)
                .practice(queue.now()).stream().forEach(forecaster::forecast);
        return forecaster.forecast(queue, job);
    }

    /** The start of each job of a log in a replay up to an instant; −1 if it has not started by then. */
    static long[] replay(JobLog log, Policy policy, int nodes, long until) {
        long[] startOf = new long[log.size()];
        Arrays.fill(startOf, -1);
        BackgroundReports starts = BackgroundReports.startsTo(startOf);
        SimulatedQueue queue = new SimulatedQueue(log, policy, nodes);
        if (until == BatchEngine.NEVER) {
            queue.runToEnd(starts);
        } else {
            queue.advanceTo(until, starts);
        }
        return startOf;
    }

    /** The forecast for a job of the log at its submission; call in job order. Null if the scheduler estimates no wait, or that it never starts. */
    @Nullable
    WaitForecast forecast(int job) {
        long now = log.submit(job);
        queue.advanceTo(Math.max(queue.now(), now - 1));
        SimulatedQueue fork = queue.fork();
        fork.openBefore(now, job);
        learn(job, now);
        Submission submission = fork.request(job, new Submission());
        QueueOrder order = fork.engine().policy().order();
        if (order.multifactor() != null) {
            fork.engine().own(log.user(job), log.account(job), now);
            submission.user(log.user(job)).account(log.account(job)).priority(order.assumedPriority());
        }
        long start = fork.engine().estimate(now, submission);
        if (start == BatchEngine.NEVER || start <= now) {
            return null;
        }
        StartQuery query = StartQuery.of(now, Pools.ANY, log.nodes(job), log.requested(job))
                .needing(log.memory(job));
        Quantiles drawn = drawn(fork.known(), query, start - now, job);
        WaitForecast forecast = calibrated(start - now, drawn, log.nodes(job), now);
        pending.add(new Drawn(now, startOf[job] < 0 ? Long.MAX_VALUE : startOf[job], drawn));
        return forecast;
    }

    /** The forecast for another job in a queue, at an instant that is not before any earlier forecast. */
    private WaitForecast forecast(KnownQueue queue, StartQuery job) {
        long now = queue.now();
        learn(queue.known(), now);
        Submission submission = Submission.of(job.units(0), job.walltime(0)).memory(job.memory());
        long raw = queue.engine().estimate(now, submission) - now;
        return calibrated(raw, drawn(queue, job, raw, -1), job.units(0), now);
    }

    private Quantiles drawn(KnownQueue queue, StartQuery job, long raw, int purpose) {
        RandomStream random = new RandomStream(sampler.settings.seed);
        return Quantiles.of(sampler.waits(queue, job, raw, purpose < 0 ? random : random.split(purpose)));
    }

    private WaitForecast calibrated(long raw, Quantiles drawn, int nodes, long now) {
        Quantiles bound = Quantiles.at(ranks.quantiles(nodes, Quantiles.levels()));
        // The forecaster is trained on jobs that have to wait.
        if (raw <= 0) {
            return new WaitForecast(raw, drawn, bound);
        }
        List<CalibratedQuantiles.Waiting> open = new ArrayList<>();
        pending.forEach(each -> open.add(new CalibratedQuantiles.Waiting(each.quantiles, now - each.submitted)));
        return new WaitForecast(raw, calibrated.of(drawn, open), bound);
    }

    private long end(int job) {
        return startOf[job] + Math.min(log.run(job), log.requested(job));
    }

    /** Learns from events before an instant, of jobs before {@code until}. */
    private void learn(int until, long now) {
        for (; known < until; known++) {
            if (startOf[known] >= 0) {
                running.add(known);
                waiting.add(known);
            }
        }
        while (!waiting.isEmpty() && startOf[waiting.peek()] < now) {
            int job = waiting.remove();
            ranks.learn(log.nodes(job), startOf[job] - log.submit(job));
        }
        while (!running.isEmpty() && end(running.peek()) < now) {
            int job = running.remove();
            correction.learn(log.user(job), log.nodes(job), log.requested(job), end(job) - startOf[job]);
        }
        while (!pending.isEmpty() && pending.peek().starts < now) {
            Drawn over = pending.remove();
            calibrated.learn(over.quantiles, over.starts - over.submitted);
        }
    }

    /**
     * Samples the wait of a job by simulating the queue forward many times, each time with other ends of the jobs in it and other arrivals.
     *
     * <p>The scheduler plans with walltimes. Ends of jobs are sampled from the {@linkplain RequestCorrection correction} of their requests, arrivals from
     * {@linkplain PastArrivals past arrivals}. No future information is used.
     *
     * @param correction the learnt correction of requests
     */
    private record WaitSampler(RequestCorrection correction, ForecastSettings settings) {
        /** The maximum of samples × queued jobs: deeper queues get fewer samples. */
        private static final int MUCH = 40_000;

        private static final int FEW = 20;

        /**
         * Sampled waits of a job that is submitted now, ascending, in milliseconds.
         *
         * @param queue the present queue; own jobs in it use their full walltime
         * @param estimate the scheduler's estimate of the wait
         */
        long[] waits(KnownQueue queue, StartQuery job, long estimate, RandomStream random) {
            // Arrivals are sampled for 1.5 times the wait without arrivals, plus half a day.
            Futures futures = new Futures(queue, job, estimate + estimate / 2 + settings.day / 2);
            int enough = Math.max(FEW, MUCH / (1 + queue.engine().queued()));
            long[] waits = new long[Math.min(settings.draws, enough)];
            for (int i = 0; i < waits.length; i++) {
                waits[i] = futures.wait(random.split(i));
            }
            Arrays.sort(waits);
            return waits;
        }

        private static long elapsed(BatchEngine engine, int handle, long now) {
            return engine.isRunning(handle) ? now - engine.start(handle) : 0;
        }

        /** The sampled futures of a new job in a queue. */
        private final class Futures {
            private final BatchEngine engine;
            private final JobLog log;
            private final long now;
            private final StartQuery added;
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
            private long reach = settings.day / 8;

            Futures(KnownQueue queue, StartQuery added, long horizon) {
                engine = queue.engine();
                log = queue.past();
                now = queue.now();
                this.added = added;
                this.horizon = horizon;
                past = new PastArrivals(log, queue.known(), now, settings.day);
                parts = new double[engine.handles()][];
                users = new int[parts.length];
                int[] live = engine.present();
                for (int handle : live) {
                    int job = queue.jobOf().applyAsInt(handle);
                    if (job >= 0) {
                        users[handle] = log.user(job);
                        parts[handle] = correction.parts(
                                log.user(job), log.nodes(job), log.requested(job), elapsed(engine, handle, now));
                    }
                }
                present = live.length;
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
                                    users[handle],
                                    parts[handle],
                                    engine.walltime(handle),
                                    elapsed(engine, handle, now));
                }
                JobLog.Builder coming = JobLog.builder();
                coming.add(0, now, added.walltime(0), added.walltime(0), added.units(0), Math.max(0, engine.ownUser()))
                        .memory(added.memory());
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
}
