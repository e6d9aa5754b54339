package io.sheaf.runtime.cluster;

import io.sheaf.batch.BatchEngine;
import io.sheaf.batch.BatchScheduler;
import io.sheaf.sim.KnownQueue;
import io.sheaf.sim.WaitForecast;
import io.sheaf.sim.WaitForecaster;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How long one more job would wait in the queue of an embedded cluster: what its scheduler says, and what comes of it when others end and come as they did so far.
 *
 * @param waits null if the job never starts
 * @param basis what the intervals rest on
 * @param nodes of the cluster
 * @param taken how many of them are
 * @param before how many jobs wait already
 */
public record ClusterForecast(@Nullable WaitForecast waits, Basis basis, int nodes, int taken, int before) {
    /** With fewer jobs of others that are over nothing is known of how they end. */
    private static final int ENOUGH = 20;

    /** What intervals rest on. */
    public enum Basis {
        /** The time limits of all jobs alone: the intervals are one point. */
        LIMITS,
        /** Queues that were drawn: others end and come as they did, and forecasts of earlier jobs say how wrong such draws are. */
        SAMPLED
    }

    /**
     * The forecast for a job at an instant, in the queue that the cluster's log tells; the process in charge is not disturbed.
     *
     * @param units nodes of the job
     * @param draws how many queues are drawn
     */
    public static ClusterForecast look(ClusterShape shape, Path log, long at, int units, long walltime, int draws)
            throws IOException {
        ClusterMachine machine = ClusterLog.machine(shape, log, at);
        KnownQueue queue = machine.known(Math.max(at, machine.now()));
        BatchEngine engine = queue.engine();
        long[] start = new long[1];
        engine.estimate(queue.now(), new int[] {units}, new long[] {walltime}, 1, start);
        boolean known = machine.ended() >= ENOUGH;
        WaitForecast waits = start[0] == BatchScheduler.NEVER
                ? null
                : known
                        ? WaitForecaster.in(queue, units, walltime, draws, shape.seed(), machine.day())
                        : WaitForecast.certain(start[0] - queue.now());
        return new ClusterForecast(
                waits,
                known ? Basis.SAMPLED : Basis.LIMITS,
                engine.capacity(),
                engine.capacity() - engine.idle(),
                engine.queued());
    }
}
