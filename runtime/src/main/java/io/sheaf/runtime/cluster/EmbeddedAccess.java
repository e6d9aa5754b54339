package io.sheaf.runtime.cluster;

import io.sheaf.batch.Policy;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.io.IOException;

/** Opens the embedded cluster: virtual nodes on this machine, with agents as processes. */
public final class EmbeddedAccess implements ClusterAccess {
    @Override
    public void check(RunSpec spec, Workflow workflow) {
        Preflight.check(workflow, spec, System.getenv());
        shape(spec);
    }

    @Override
    public Cluster open(RunSpec spec, Context around) throws IOException {
        ProcessLauncher launcher = new ProcessLauncher(
                around.launch(), around.folder(), spec.id(), spec.node(), around.wake(), around.messages());
        return new EmbeddedCluster(shape(spec), around.log(), launcher, around.clock());
    }

    /** The embedded cluster of a run. */
    public static ClusterShape shape(RunSpec spec) {
        return new ClusterShape(spec.nodes(), spec.node(), Policy.conservative(), spec.background(), spec.seed());
    }
}
