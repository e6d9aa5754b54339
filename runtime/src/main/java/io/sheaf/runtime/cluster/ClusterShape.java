package io.sheaf.runtime.cluster;

import io.sheaf.batch.Policy;
import io.sheaf.runtime.journal.Journal;
import io.sheaf.sim.JobLog;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of an embedded cluster.
 *
 * @param node what a node has for tasks
 * @param background background jobs, such as {@code kth-like@60x}; empty for none
 * @param seed of the background jobs
 */
public record ClusterShape(int nodes, Resources node, Policy policy, String background, long seed) {
    public ClusterShape {
        if (nodes < 1) {
            throw new IllegalArgumentException(nodes + " nodes");
        }
        if (!background.isEmpty()) {
            ModelledLoad.of(background, nodes, seed);
        }
    }

    /** Its background jobs; null for none. */
    @Nullable
    ModelledLoad load() {
        return background.isEmpty() ? null : ModelledLoad.of(background, nodes, seed);
    }

    /**
     * The queue at the beginning of a run, with all later background jobs, and without the run's own jobs. A seed generates the background jobs, so
     * they are completely known.
     *
     * @param log the cluster's log
     * @param span how long background jobs arrive, in milliseconds
     */
    public SimulatedQueue queueAtBegin(Path log, long begun, long span) throws IOException {
        long[] base = {begun};
        Journal.readWithoutLease(log, entry -> ClusterLog.begun(entry, base));
        JobLog.Builder builder = JobLog.builder();
        ModelledLoad load = load();
        if (load != null) {
            ModelledLoad.LoadJob job = load.job(0);
            for (int i = 0; job.at() <= span; job = load.job(++i)) {
                builder.add(i, base[0] + job.at(), job.run(), job.walltime(), job.nodes(), 0);
            }
        }
        SimulatedQueue queue = new SimulatedQueue(builder.build(), policy, nodes);
        queue.advanceTo(Math.max(begun, base[0]));
        return queue;
    }
}
