package io.sheaf.runtime.cluster;

import io.sheaf.runtime.journal.Journal;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The queue of an embedded cluster at the beginning of its run, with all later background jobs. A seed generates
 * these, so they are completely known.
 */
public final class ClusterPast {
    private ClusterPast() {}

    /**
     * The queue without our jobs.
     *
     * @param log the cluster's log
     * @param span how long background jobs arrive, in milliseconds
     */
    public static SimulatedQueue queue(ClusterShape shape, Path log, long begun, long span) throws IOException {
        long[] base = {begun};
        Journal.readWithoutLease(log, entry -> ClusterLog.begun(entry, base));
        JobLog.Builder builder = JobLog.builder();
        ModelledLoad background = shape.load();
        if (background != null) {
            ModelledLoad.LoadJob job = background.job(0);
            for (int i = 0; job.at() <= span; job = background.job(++i)) {
                builder.add(i, base[0] + job.at(), job.run(), job.walltime(), job.nodes(), 0);
            }
        }
        SimulatedQueue queue = new SimulatedQueue(builder.build(), shape.policy(), shape.nodes());
        queue.advanceTo(Math.max(begun, base[0]));
        return queue;
    }
}
