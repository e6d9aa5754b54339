package io.sheaf.runtime.local;

import io.sheaf.batch.Policy;
import io.sheaf.runtime.Backend;
import io.sheaf.runtime.cluster.ClusterForecast;
import io.sheaf.runtime.cluster.ClusterPast;
import io.sheaf.runtime.cluster.ClusterShape;
import io.sheaf.runtime.cluster.EmbeddedCluster;
import io.sheaf.runtime.cluster.QueueView;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.workflow.Workflow;
import java.io.IOException;

/** This machine: the embedded cluster with virtual nodes, and agents as processes. */
public final class EmbeddedSite implements Site {
    @Override
    public void check(RunSpec spec, Workflow workflow) {
        Preflight.check(workflow, spec, spec.gpusPerNode(), Machine.memory(), System.getenv());
        shape(spec);
    }

    @Override
    public Backend open(RunSpec spec, Surroundings around) throws IOException {
        ProcessLauncher launcher = new ProcessLauncher(
                around.launch(),
                around.folder(),
                spec.id(),
                spec.coresPerNode(),
                spec.gpusPerNode(),
                around.wake(),
                around.messages());
        return new EmbeddedCluster(shape(spec), around.log(), launcher, around.clock());
    }

    /** The queue of a run's cluster at an instant of the run's clock. */
    public static QueueView queue(RecordedRun run, long at) throws IOException {
        return QueueView.look(shape(run.spec()), run.folder().resolve("cluster"), at);
    }

    /** How long one more job would wait in the queue of a run's cluster, at an instant of the run's clock; as many queues are drawn as said. */
    public static ClusterForecast forecast(RecordedRun run, long at, int nodes, long walltime, int draws)
            throws IOException {
        return ClusterForecast.look(shape(run.spec()), run.folder().resolve("cluster"), at, nodes, walltime, draws);
    }

    /** The queue that a run began in, without its own jobs, and whoever came in so many milliseconds. */
    static SimulatedQueue past(RecordedRun run, long span) throws IOException {
        return ClusterPast.queue(
                shape(run.spec()),
                run.folder().resolve("cluster"),
                run.history().begunAt(),
                span);
    }

    private static ClusterShape shape(RunSpec spec) {
        return new ClusterShape(
                spec.nodes(), spec.coresPerNode(), Policy.conservative(), spec.background(), spec.seed());
    }
}
