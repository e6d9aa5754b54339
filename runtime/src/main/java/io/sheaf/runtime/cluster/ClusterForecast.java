package io.sheaf.runtime.cluster;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.JobShapes;
import io.sheaf.batch.Pools;
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
 * @param basis what the intervals are based on
 * @param nodes of the cluster
 * @param allocated allocated nodes
 * @param before the number of queued jobs
 */
public record ClusterForecast(@Nullable WaitForecast waits, IntervalBasis basis, int nodes, int allocated, int before) {
    /** The minimum number of ended background jobs for estimates of how such jobs end. */
    private static final int MIN_DRAWS = 20;

    /** What the intervals are based on. */
    public enum IntervalBasis {
        /** Only the time limits of all jobs: each interval is a single point. */
        LIMITS,
        /**
         * Sampled queues: background jobs arrive and end as before, and forecasts of earlier jobs calibrate the
         * error.
         */
        SAMPLED
    }

    /**
     * The forecast for a job at an instant, in the queue of the cluster's log; does not disturb the manager.
     *
     * @param units nodes of the job
     * @param draws the number of sampled queues
     */
    public static ClusterForecast read(ClusterShape shape, Path log, long at, int units, long walltime, int draws)
            throws IOException {
        ClusterMachine machine = ClusterLog.machine(shape, log, at);
        KnownQueue queue = machine.known(Math.max(at, machine.now()));
        BatchEngine engine = queue.engine();
        long[] start = new long[1];
        engine.estimate(queue.now(), new JobShapes().add(Pools.ANY, units, walltime), start);
        boolean known = machine.ended() >= MIN_DRAWS;
        WaitForecast waits = start[0] == BatchEngine.NEVER
                ? null
                : known
                        ? WaitForecaster.in(queue, units, walltime, draws, shape.seed(), machine.day())
                        : WaitForecast.certain(start[0] - queue.now());
        return new ClusterForecast(
                waits,
                known ? IntervalBasis.SAMPLED : IntervalBasis.LIMITS,
                engine.size(),
                engine.size() - engine.idle(),
                engine.queued());
    }
}
