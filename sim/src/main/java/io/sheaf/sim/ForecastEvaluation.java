package io.sheaf.sim;

import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.predict.RankBound;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Judges estimates of waits on jobs of a log, as the replay has them: for each job that is looked at what the scheduler would have said when it came, what a {@linkplain WaitForecaster
 * forecast} and a {@linkplain RankBound rank bound} say, and how long it waited.
 *
 * <p>All that is learnt is learnt before the job comes: requests of jobs that are over, waits of jobs that have started. The jobs looked at are drawn from some weeks, spread over the
 * second half of the log.
 */
public final class ForecastEvaluation {
    private static final long WEEK = 7 * 86_400_000L;

    /**
     * What was said of a job and what came, in milliseconds.
     *
     * @param raw the scheduler's estimate
     * @param forecast calibrated
     * @param bound the same by rank
     * @param real how long it waited in the replay
     */
    public record Sample(int job, int nodes, long raw, Quantiles forecast, Quantiles bound, long real) {}

    /**
     * What is looked at.
     *
     * @param jobsAWeek how many jobs of each week at most; those that need not wait do not count
     * @param draws how many waits a forecast draws
     */
    public record Settings(int weeks, int jobsAWeek, int draws, long seed) {}

    /**
     * A forecast before it is calibrated.
     *
     * @param known when its job started, and so could be learnt from
     */
    private record Drawn(long known, Quantiles quantiles, long waited) {}

    private final JobLog log;
    private final Policy policy;
    private final int nodes;
    private final RequestCorrection correction = new RequestCorrection();
    private final RankBound ranks = new RankBound();
    private final long[] startOf;
    private final PriorityQueue<Integer> running;
    private final PriorityQueue<Integer> waiting;

    private ForecastEvaluation(JobLog log, Policy policy, int nodes) {
        this.log = log;
        this.policy = policy;
        this.nodes = nodes;
        startOf = new long[log.size()];
        Comparator<Integer> byEnd = Comparator.comparingLong(this::end);
        running = new PriorityQueue<>(byEnd.thenComparingInt(job -> job));
        Comparator<Integer> byStart = Comparator.comparingLong(job -> startOf[job]);
        waiting = new PriorityQueue<>(byStart.thenComparingInt(job -> job));
    }

    /** Looks at jobs that the scheduler says have to wait. */
    public static List<Sample> run(JobLog log, Policy policy, int nodes, Settings settings) {
        return new ForecastEvaluation(log, policy, nodes).run(settings);
    }

    private List<Sample> run(Settings settings) {
        replay();
        List<Integer> chosen = chosen(settings.weeks, settings.jobsAWeek, settings.seed);
        WaitForecaster forecaster = new WaitForecaster(log, correction, settings.draws);
        SimulatedQueue queue = new SimulatedQueue(log, policy, nodes);
        List<Sample> samples = new ArrayList<>();
        CalibratedForecast calibrated = new CalibratedForecast();
        PriorityQueue<Drawn> pending = new PriorityQueue<>(Comparator.comparingLong(Drawn::known));
        int known = 0;
        for (int job : chosen) {
            long now = log.submit(job);
            known = learn(known, job, now);
            while (!pending.isEmpty() && pending.peek().known < now) {
                Drawn over = pending.remove();
                calibrated.learn(over.quantiles, over.waited);
            }
            queue.advanceTo(Math.max(queue.now(), now - 1));
            SimulatedQueue here = queue.fork();
            here.openBefore(now, job, BackgroundReports.UNHEARD);
            long requested = log.requested(job);
            long start = here.engine().estimate(now, Submission.of(log.nodes(job), requested));
            long raw = start - now;
            if (start == Long.MAX_VALUE || raw <= 0 || startOf[job] < now) {
                continue;
            }
            long[] waits = forecaster.waits(
                    here, job, log.nodes(job), requested, raw, new RandomStream(settings.seed).split(job));
            Quantiles drawn = Quantiles.of(waits);
            pending.add(new Drawn(startOf[job], drawn, startOf[job] - now));
            samples.add(new Sample(
                    job,
                    log.nodes(job),
                    raw,
                    calibrated.of(drawn),
                    Quantiles.at(ranks.quantiles(log.nodes(job), Quantiles.levels())),
                    startOf[job] - now));
        }
        return samples;
    }

    /** Plays the log once, to know how long each job waits. */
    private void replay() {
        Arrays.fill(startOf, -1);
        new SimulatedQueue(log, policy, nodes).playOut(new BackgroundReports() {
            @Override
            public void backgroundStarted(int job, long at) {
                startOf[job] = at;
            }
        });
    }

    private long end(int job) {
        return startOf[job] + Math.min(log.run(job), log.requested(job));
    }

    /** Learns from what happened before an instant; returns how many jobs had come. */
    private int learn(int from, int to, long now) {
        for (int job = from; job < to; job++) {
            if (startOf[job] >= 0) {
                running.add(job);
                waiting.add(job);
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
        return Math.max(from, to);
    }

    private List<Integer> chosen(int weeks, int jobsAWeek, long seed) {
        long first = log.submit(0);
        long last = log.submit(log.size() - 1);
        long room = Math.max(0, last - first - WEEK);
        List<Integer> all = new ArrayList<>();
        for (int week = 0; week < weeks; week++) {
            long begin = first + room / 2 + (weeks == 1 ? room / 2 : room / 2 * week / (weeks - 1));
            List<Integer> inWeek = new ArrayList<>();
            for (int job = 0; job < log.size(); job++) {
                if (log.submit(job) >= begin && log.submit(job) < begin + WEEK) {
                    inWeek.add(job);
                }
            }
            int[] order = new RandomStream(seed).split("jobs").split(week).permutation(inWeek.size());
            List<Integer> some = new ArrayList<>();
            for (int i = 0; i < Math.min(jobsAWeek, order.length); i++) {
                some.add(inWeek.get(order[i]));
            }
            some.sort(Comparator.naturalOrder());
            all.addAll(some);
        }
        return all.stream().distinct().sorted().toList();
    }
}
