package io.sheaf.sim;

import io.sheaf.batch.BatchScheduler;
import io.sheaf.batch.Policy;
import io.sheaf.batch.Submission;
import io.sheaf.predict.CalibratedQuantiles;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.RankBound;
import io.sheaf.predict.RequestCorrection;
import io.sheaf.random.RandomStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Goes along a log and foretells waits, each from what was known by then: requests of jobs that are over, waits of jobs that have started, and how earlier forecasts fared.
 *
 * <p>How jobs fare in the replay is given to it beforehand, for want of another way; it looks at starts and ends only when they have passed.
 */
final class LearningForecaster {
    /**
     * What was said of a job, in milliseconds.
     *
     * @param raw the scheduler's estimate
     * @param forecast calibrated
     * @param bound the same by rank
     */
    record Told(long raw, Quantiles forecast, Quantiles bound) {}

    /** A forecast before it is calibrated, of a job that came at an instant and starts at another. */
    private record Drawn(long came, long starts, Quantiles quantiles) {}

    private static final long MINUTES_A_DAY = 24 * 60;

    private final JobLog log;
    private final long[] startOf;
    private final long seed;
    private final SimulatedQueue queue;
    private final RequestCorrection correction = new RequestCorrection();
    private final WaitForecaster forecaster;
    private final RankBound ranks = new RankBound();
    private final CalibratedQuantiles calibrated;
    private final PriorityQueue<Integer> running;
    private final PriorityQueue<Integer> waiting;
    private final PriorityQueue<Drawn> pending = new PriorityQueue<>(Comparator.comparingLong(Drawn::starts));
    private int known;

    /**
     * One at the beginning of a log.
     *
     * @param startOf when each job starts in the replay; negative for one that does not
     * @param draws how many waits a forecast draws
     * @param day how long a day of the log is, in milliseconds
     */
    LearningForecaster(JobLog log, Policy policy, int nodes, long[] startOf, int draws, long seed, long day) {
        this.log = log;
        this.startOf = startOf;
        this.seed = seed;
        queue = new SimulatedQueue(log, policy, nodes);
        forecaster = new WaitForecaster(correction, draws, day);
        calibrated = new CalibratedQuantiles(day / MINUTES_A_DAY);
        Comparator<Integer> byEnd = Comparator.comparingLong(this::end);
        running = new PriorityQueue<>(byEnd.thenComparingInt(job -> job));
        Comparator<Integer> byStart = Comparator.comparingLong(job -> startOf[job]);
        waiting = new PriorityQueue<>(byStart.thenComparingInt(job -> job));
    }

    /** What is said of a job of the log when it comes, jobs in their order; null if the scheduler says that it need not wait, or that it never starts. */
    @Nullable
    Told tell(int job) {
        long now = log.submit(job);
        queue.advanceTo(Math.max(queue.now(), now - 1));
        SimulatedQueue here = queue.fork();
        here.openBefore(now, job, BackgroundReports.UNHEARD);
        learn(job, now);
        long start = here.engine().estimate(now, Submission.of(log.nodes(job), log.requested(job)));
        if (start == BatchScheduler.NEVER || start <= now) {
            return null;
        }
        Quantiles drawn = drawn(here.known(), log.nodes(job), log.requested(job), start - now, job);
        Told told = told(start - now, drawn, log.nodes(job), now);
        pending.add(new Drawn(now, startOf[job] < 0 ? Long.MAX_VALUE : startOf[job], drawn));
        return told;
    }

    /** The same of another job, which comes behind all others at an instant that is not before any that was told of. */
    Told tell(long now, int nodes, long requested) {
        queue.advanceTo(now);
        return tell(queue.known(), nodes, requested);
    }

    /** The same in a queue that has gone another way than the replay of the same log. */
    Told tell(KnownQueue here, int nodes, long requested) {
        long now = here.now();
        learn(here.known(), now);
        long raw = here.engine().estimate(now, Submission.of(nodes, requested)) - now;
        return told(raw, drawn(here, nodes, requested, raw, -1), nodes, now);
    }

    private Quantiles drawn(KnownQueue here, int nodes, long requested, long raw, int purpose) {
        RandomStream random = new RandomStream(seed);
        return Quantiles.of(
                forecaster.waits(here, nodes, requested, raw, purpose < 0 ? random : random.split(purpose)));
    }

    private Told told(long raw, Quantiles drawn, int nodes, long now) {
        // What was learnt is about jobs that have to wait.
        if (raw <= 0) {
            return new Told(raw, drawn, Quantiles.at(ranks.quantiles(nodes, Quantiles.levels())));
        }
        List<CalibratedQuantiles.Waiting> open = new ArrayList<>();
        pending.forEach(each -> open.add(new CalibratedQuantiles.Waiting(each.quantiles, now - each.came)));
        return new Told(raw, calibrated.of(drawn, open), Quantiles.at(ranks.quantiles(nodes, Quantiles.levels())));
    }

    private long end(int job) {
        return startOf[job] + Math.min(log.run(job), log.requested(job));
    }

    /** Learns from what happened before an instant, of jobs up to one that comes then. */
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
            calibrated.learn(over.quantiles, over.starts - over.came);
        }
    }
}
