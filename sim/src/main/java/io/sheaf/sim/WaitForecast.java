package io.sheaf.sim;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.Policy;
import io.sheaf.predict.Quantiles;
import java.util.Arrays;

/**
 * How long a job would wait: what the scheduler says, in milliseconds, and a median with intervals that hold half and nine tenths of what may happen.
 */
public record WaitForecast(long scheduler, Quantiles waits) {
    private static final long DAY = 86_400_000;

    /**
     * For a job that is submitted at an instant of a log, behind all who came until then. What is learnt comes from before; how wrong forecasts are is learnt on earlier jobs.
     *
     * @param draws how many futures to draw
     */
    public static WaitForecast at(
            JobLog log, Policy policy, int clusterNodes, long at, int nodes, long requested, int draws, long seed) {
        LearningForecaster forecaster = practised(log, policy, clusterNodes, at, draws, seed, DAY);
        return of(forecaster.tell(at, nodes, requested));
    }

    /**
     * For a job that is submitted now to a queue in which others and we have jobs. Practised is on the past of the others, as it would have been without us.
     *
     * @param draws how many futures to draw
     * @param day how long a day of the queue is, in milliseconds: less where everything happens faster
     */
    public static WaitForecast in(KnownQueue queue, int nodes, long requested, int draws, long seed, long day) {
        BatchEngine engine = queue.engine();
        LearningForecaster forecaster =
                practised(queue.past(), engine.policy(), engine.capacity(), queue.now(), draws, seed, day);
        return of(forecaster.tell(queue, nodes, requested));
    }

    /** One that has learnt from all of a log up to an instant. */
    private static LearningForecaster practised(
            JobLog log, Policy policy, int clusterNodes, long at, int draws, long seed, long day) {
        long[] startOf = new long[log.size()];
        Arrays.fill(startOf, -1);
        new SimulatedQueue(log, policy, clusterNodes).advanceTo(at, new BackgroundReports() {
            @Override
            public void backgroundStarted(int job, long instant) {
                startOf[job] = instant;
            }
        });
        LearningForecaster forecaster = new LearningForecaster(log, policy, clusterNodes, startOf, draws, seed, day);
        new JudgedJobs(log, startOf, day).practice(at).stream().forEach(forecaster::tell);
        return forecaster;
    }

    /** One that is sure of what the scheduler says. */
    public static WaitForecast certain(long scheduler) {
        return new WaitForecast(scheduler, Quantiles.always(scheduler));
    }

    private static WaitForecast of(LearningForecaster.Told told) {
        return new WaitForecast(told.raw(), told.forecast());
    }
}
