package io.sheaf.slurm.whatif;

import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.past.QueueSnapshots;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.slurm.SlurmSite;
import io.sheaf.workflow.Workflow;
import java.io.IOException;

/** A cluster with Slurm whose queue is foretold: each run has an estimator, and what it says is held against what comes. */
public final class ForetoldSite implements ClusterAccess {
    private final SlurmSite inner;

    public ForetoldSite(SlurmSite inner) {
        this.inner = inner;
    }

    @Override
    public void check(RunSpec spec, Workflow workflow) throws IOException {
        inner.check(spec, workflow);
    }

    @Override
    public Cluster open(RunSpec spec, Surroundings around) throws IOException {
        Submissions alike = Submissions.of(spec.where().options(), inner.environment(), spec.coresPerNode());
        QueueSnapshots sights = new QueueSnapshots(around.folder().path());
        SeenOthers others =
                new SeenOthers(sights, alike, BatchControl.name(spec.id(), 0).replaceFirst("0$", ""));
        SlurmEstimator estimator = new SlurmEstimator(
                inner.commands(),
                inner.user(),
                alike,
                inner.learnt(),
                token -> BatchControl.name(spec.id(), token),
                others::saw);
        return new ForetoldBackend(
                inner.open(spec, around),
                estimator,
                sights,
                spec.id(),
                around.clock().millis());
    }
}
