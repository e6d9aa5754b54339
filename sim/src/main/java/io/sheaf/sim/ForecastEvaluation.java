package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.RankBound;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Evaluates estimates of waits on jobs of a replayed log: the scheduler's estimate, a {@linkplain WaitForecaster forecast} and a {@linkplain
 * RankBound rank bound}, each against the actual wait.
 *
 * <p>Learning uses only jobs {@linkplain WaitForecaster before} the evaluated one. The evaluated jobs have to wait and are sampled from some weeks in
 * the second half of the log. Before each week forecasts are trained on earlier jobs.
 */
public final class ForecastEvaluation {
    /**
     * The estimates and the actual wait of a job, in milliseconds.
     *
     * @param raw the scheduler's estimate
     * @param forecast calibrated
     * @param bound the rank bound
     * @param real the actual wait in the replay
     */
    public record Sample(int job, int nodes, long raw, Quantiles forecast, Quantiles bound, long real) {}

    /**
     * The settings.
     *
     * @param jobsAWeek the maximum number of evaluated jobs of each week; jobs without a wait do not count
     * @param draws the number of sampled waits of a forecast
     */
    public record EvaluationSettings(int weeks, int jobsAWeek, int draws, long seed) {}

    private static final long DAY = 86_400_000;

    private ForecastEvaluation() {}

    /** Evaluates jobs with an estimated wait. */
    public static List<Sample> run(JobLog log, Policy policy, int nodes, EvaluationSettings settings) {
        long[] startOf = WaitForecaster.replay(log, policy, nodes, BatchEngine.NEVER);
        EvaluationJobs jobs = new EvaluationJobs(log, startOf, DAY);
        BitSet judged = jobs.judged(settings.weeks, settings.jobsAWeek, settings.seed);
        BitSet evaluated = jobs.practice(settings.weeks);
        evaluated.or(judged);
        WaitForecaster forecaster = new WaitForecaster(
                log, policy, nodes, startOf, new WaitForecaster.ForecastSettings(settings.draws, settings.seed));
        List<Sample> samples = new ArrayList<>();
        for (int job = evaluated.nextSetBit(0); job >= 0; job = evaluated.nextSetBit(job + 1)) {
            WaitForecast forecast = forecaster.forecast(job);
            if (forecast != null && judged.get(job)) {
                long real = startOf[job] - log.submit(job);
                samples.add(new Sample(
                        job, log.nodes(job), forecast.scheduler(), forecast.waits(), forecast.rankBound(), real));
            }
        }
        return samples;
    }
}
