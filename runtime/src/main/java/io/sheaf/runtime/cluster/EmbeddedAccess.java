package io.sheaf.runtime.cluster;

import io.sheaf.agent.AgentSettings;
import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Policy;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.io.IOException;

/** Opens the embedded cluster: virtual nodes on this machine, with agents as processes. */
public final class EmbeddedAccess implements ClusterAccess {
    @Override
    public void check(RunSpec spec, Workflow workflow) {
        JobLimits offered = spec.offered(AgentSettings.reserveMillis(ProcessLauncher.GRACE_MILLIS));
        Preflight.check(workflow, spec, offered, false, System.getenv());
        shape(spec);
    }

    @Override
    public Cluster open(RunSpec spec, Context context) throws IOException {
        ProcessLauncher launcher = new ProcessLauncher(
                context.launch(), context.folder(), spec.id(), spec.node(), context.wake(), context.messages());
        return new EmbeddedCluster(shape(spec), context.log(), launcher, context.clock());
    }

    public static ClusterShape shape(RunSpec spec) {
        Policy policy = Policy.conservative().withLimits(spec.limits());
        return new ClusterShape(spec.nodes(), spec.node(), policy, spec.background(), spec.seed());
    }
}
