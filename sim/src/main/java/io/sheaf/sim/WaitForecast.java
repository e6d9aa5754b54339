package io.sheaf.sim;

import io.sheaf.batch.Policy;
import java.util.Arrays;

/**
 * How long a job would wait: what the scheduler says, in milliseconds, and a median with intervals that hold half and nine tenths of what may happen.
 */
public record WaitForecast(long scheduler, Quantiles waits) {
    /**
     * For a job that is submitted at an instant of a log, behind all who came until then. What is learnt comes from before; how wrong forecasts are is learnt on earlier jobs.
     *
     * @param draws how many futures to draw
     */
    public static WaitForecast at(
            JobLog log, Policy policy, int clusterNodes, long at, int nodes, long requested, int draws, long seed) {
        long[] startOf = new long[log.size()];
        Arrays.fill(startOf, -1);
        new SimulatedQueue(log, policy, clusterNodes).advanceTo(at, new BackgroundReports() {
            @Override
            public void backgroundStarted(int job, long instant) {
                startOf[job] = instant;
            }
        });
        LearningForecaster forecaster = new LearningForecaster(log, policy, clusterNodes, startOf, draws, seed);
        new JudgedJobs(log, startOf).practice(at).stream().forEach(forecaster::tell);
        LearningForecaster.Told told = forecaster.tell(at, nodes, requested);
        return new WaitForecast(told.raw(), told.forecast());
    }
}
