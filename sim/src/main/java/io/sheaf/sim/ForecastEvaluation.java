package io.sheaf.sim;

import io.sheaf.batch.BatchScheduler;
import io.sheaf.batch.Policy;
import io.sheaf.predict.Quantiles;
import io.sheaf.predict.RankBound;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Judges estimates of waits on jobs of a log, as the replay has them: for each job that is looked at what the scheduler would have said when it came, what a {@linkplain WaitForecaster
 * forecast} and a {@linkplain RankBound rank bound} say, and how long it waited.
 *
 * <p>All that is learnt is {@linkplain WaitForecaster learnt before} the job comes. The jobs looked at are those that have to wait, drawn from some weeks, spread over the second half of the
 * log; before each week forecasts are practised on earlier jobs.
 */
public final class ForecastEvaluation {
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

    private static final long DAY = 86_400_000;

    private ForecastEvaluation() {}

    /** Looks at jobs that the scheduler says have to wait. */
    public static List<Sample> run(JobLog log, Policy policy, int nodes, Settings settings) {
        long[] startOf = WaitForecaster.replay(log, policy, nodes, BatchScheduler.NEVER);
        JudgedJobs jobs = new JudgedJobs(log, startOf, DAY);
        BitSet judged = jobs.judged(settings.weeks, settings.jobsAWeek, settings.seed);
        BitSet looked = jobs.practice(settings.weeks);
        looked.or(judged);
        WaitForecaster forecaster = new WaitForecaster(log, policy, nodes, startOf, settings.draws, settings.seed, DAY);
        List<Sample> samples = new ArrayList<>();
        for (int job = looked.nextSetBit(0); job >= 0; job = looked.nextSetBit(job + 1)) {
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
