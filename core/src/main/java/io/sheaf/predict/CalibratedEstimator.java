package io.sheaf.predict;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Combines estimators: uses the one with the least recent error for our jobs, and the next one for jobs that it cannot estimate.
 *
 * <p>Only an estimator of the whole queue can answer for queued jobs together. If the best one cannot, a queued job gets the wait of a job submitted
 * now, minus its wait so far.
 */
public final class CalibratedEstimator implements StartEstimator {
    /**
     * One of our queued jobs.
     *
     * @param submitted the instant of its submission
     */
    public record Queued(long submitted, int pool, int units, long walltime) {}

    private final Map<String, ? extends StartEstimator> estimators;
    private final LongFunction<@Nullable Queued> queued;
    private final StartEstimator earliest;
    private final StartQuery open = new StartQuery();
    private final StartTimes part = new StartTimes();
    private final StartTimes first = new StartTimes();
    private Calibration calibration = new Calibration();
    private Basis basis = Basis.NONE;

    /**
     * A combination of estimators, which answer {@link StartTimes#UNKNOWN} for unknown jobs.
     *
     * @param estimators by name, in the order of trust until something is learned
     * @param queued our queued job with a token; null if there is none
     * @param earliest the starts that our running jobs allow, which estimates from past waits do not consider
     */
    public CalibratedEstimator(
            Map<String, ? extends StartEstimator> estimators,
            LongFunction<@Nullable Queued> queued,
            StartEstimator earliest) {
        this.estimators = estimators;
        this.queued = queued;
        this.earliest = earliest;
    }

    /** Replaces the recorded errors of the estimators. */
    public void learn(Calibration observed) {
        calibration = observed;
    }

    /** The name of the most trusted estimator. */
    public String best() {
        return calibration.best(List.copyOf(estimators.keySet()));
    }

    @Override
    public void estimate(StartQuery query, StartTimes answer) {
        List<StartEstimator> byTrust = byTrust();
        if (!query.isWithQueued()) {
            answer.begin(query, Basis.NONE);
            alone(query, answer, byTrust);
        } else {
            byTrust.get(0).estimate(query, answer);
            if (answer.isComplete()) {
                basis = answer.basis();
            } else {
                answer.begin(query, Basis.NONE);
                withQueued(query, answer, byTrust);
            }
        }
        answer.basis(basis);
    }

    /** The estimate of one of the estimators for jobs by themselves. */
    public StartTimes estimate(String name, StartQuery query) {
        StartTimes answer = new StartTimes();
        StartEstimator estimator = estimators.get(name);
        if (estimator == null) {
            throw new IllegalArgumentException(name);
        }
        estimate(estimator, query, answer);
        return answer;
    }

    /** Estimates jobs by themselves, not before they can start if the estimator does not know the queue. */
    private void estimate(StartEstimator estimator, StartQuery query, StartTimes answer) {
        estimator.estimate(query, answer);
        if (estimator.basis() == Basis.SIMULATED) {
            return;
        }
        earliest.estimate(query, first);
        for (int i = 0; i < query.jobs(); i++) {
            if (answer.job(i) != StartTimes.UNKNOWN || first.job(i) == StartTimes.NEVER) {
                answer.job(i, Math.max(answer.job(i), first.job(i)));
            }
            Quantiles waits = answer.waits(i);
            if (waits != null) {
                answer.waits(i, waits.atLeast(first.job(i) - query.now()));
            }
        }
    }

    /** The estimators and, for jobs that none of them can estimate, an empty cluster. */
    private List<StartEstimator> byTrust() {
        List<StartEstimator> order = new ArrayList<>(estimators.values());
        StartEstimator best = estimators.get(best());
        if (best != null) {
            order.remove(best);
            order.add(0, best);
        }
        order.add(StartEstimator.UNINFORMED);
        return order;
    }

    /** Estimates each job by itself. */
    private void alone(StartQuery query, StartTimes answer, List<StartEstimator> byTrust) {
        basis = Basis.NONE;
        for (int i = 0; i < query.jobs(); i++) {
            answer.job(i, StartTimes.UNKNOWN);
        }
        for (StartEstimator estimator : byTrust) {
            if (fill(query, answer, estimator) && basis == Basis.NONE) {
                basis = estimator.basis();
            }
        }
    }

    /** Uses one estimator for the jobs that are still unknown. Returns whether it estimated any. */
    private boolean fill(StartQuery query, StartTimes answer, StartEstimator estimator) {
        open.begin(query.now(), StartQuery.Arrangement.ALONE).needing(query.memory());
        for (int i = 0; i < query.jobs(); i++) {
            if (answer.job(i) == StartTimes.UNKNOWN) {
                open.add(query.pool(i), query.units(i), query.walltime(i));
            }
        }
        if (open.jobs() == 0) {
            return false;
        }
        estimate(estimator, open, part);
        boolean any = false;
        int next = 0;
        for (int i = 0; i < query.jobs(); i++) {
            if (answer.job(i) == StartTimes.UNKNOWN) {
                answer.job(i, part.job(next++));
                any |= answer.job(i) != StartTimes.UNKNOWN;
            }
        }
        return any;
    }

    private void withQueued(StartQuery query, StartTimes answer, List<StartEstimator> byTrust) {
        long now = query.now();
        for (int i = 0; i < query.queued(); i++) {
            Queued job = queued.apply(query.token(i));
            if (job == null) {
                answer.queued(i, StartTimes.NEVER);
                continue;
            }
            StartQuery single = StartQuery.of(now, job.pool, job.units, job.walltime);
            long start = alone(single, byTrust);
            long left = start == StartTimes.NEVER ? start : Math.max(now, job.submitted + start - now);
            answer.queued(i, Math.max(left, earliest.estimate(single).job(0)));
        }
        for (int i = 0; i < query.jobs(); i++) {
            StartQuery single = StartQuery.of(now, query.pool(i), query.units(i), query.walltime(i))
                    .needing(query.memory());
            answer.job(i, alone(single, byTrust));
        }
    }

    private long alone(StartQuery single, List<StartEstimator> byTrust) {
        StartTimes start = new StartTimes();
        start.begin(single, Basis.NONE);
        alone(single, start, byTrust);
        return start.job(0);
    }

    /** The basis of the latest answer. */
    @Override
    public Basis basis() {
        return basis;
    }
}
