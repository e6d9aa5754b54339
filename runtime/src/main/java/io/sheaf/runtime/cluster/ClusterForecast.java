package io.sheaf.runtime.cluster;

import io.sheaf.batch.BatchEngine;
import io.sheaf.predict.StartQuery;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.WaitForecast;
import io.sheaf.sim.WaitForecaster;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A forecast of the queue wait of one more job on an embedded cluster: the scheduler's plan, and intervals if
 * background jobs arrive and end as before.
 *
 * @param waits null if the job never starts
 * @param sampled whether intervals are from sampled queues, calibrated by forecasts of earlier jobs; otherwise only the time limits of all jobs are
 * known, and each interval is a single point
 * @param nodes of the cluster
 * @param allocated allocated nodes
 * @param before the number of queued jobs
 */
public record ClusterForecast(@Nullable WaitForecast waits, boolean sampled, int nodes, int allocated, int before) {
    /** The minimum number of ended background jobs for estimates of how such jobs end. */
    private static final int MIN_DRAWS = 20;

    /**
     * The forecast for a single job, in the queue of the cluster's log; does not disturb the manager.
     *
     * @param draws the number of sampled queues
     */
    public static ClusterForecast read(ClusterShape shape, Path log, StartQuery job, int draws) throws IOException {
        ClusterMachine machine = ClusterLog.machine(shape, log, job.now());
        KnownQueue queue = machine.known(Math.max(job.now(), machine.now()));
        BatchEngine engine = queue.engine();
        long[] start = new long[1];
        engine.estimate(queue.now(), job.shapes(), start);
        boolean sampled = machine.ended() >= MIN_DRAWS;
        WaitForecast waits = null;
        if (start[0] != BatchEngine.NEVER) {
            waits = sampled
                    ? WaitForecaster.in(
                            queue, job, new WaitForecaster.ForecastSettings(draws, shape.seed(), machine.day()))
                    : WaitForecast.certain(start[0] - queue.now());
        }
        return new ClusterForecast(waits, sampled, engine.size(), engine.size() - engine.idle(), engine.queued());
    }
}
