package io.sheaf.slurm;

import io.sheaf.runtime.batch.BatchSite;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.Terms;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.slurm.doctor.SlurmDoctor;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Slurm, with everything that there is for it: runs whose queue is foretold, and a look at the cluster. */
public final class SlurmSystem implements BatchSystem {
    private static final Map<String, String> WORDS = Map.of(
            "account", "--account=",
            "partition", "--partition=",
            "qos", "--qos=",
            "constraint", "--constraint=",
            "reservation", "--reservation=");

    @Override
    public String name() {
        return SlurmSite.NAME;
    }

    @Override
    public String title() {
        return SlurmControl.TITLE;
    }

    @Override
    public List<String> words(Terms terms) {
        PassedOn.check(terms.passedOn());
        return terms.words(title(), WORDS);
    }

    @Override
    public BatchSite site(Map<String, String> environment, int interval) {
        SlurmSite site = new SlurmSite(environment, interval);
        return new BatchSite() {
            @Override
            public void check(RunSpec spec, Workflow workflow) throws IOException {
                site.check(spec, workflow);
            }

            @Override
            public Cluster open(RunSpec spec, Context around) throws IOException {
                return site.open(spec, around);
            }

            @Override
            public Nodes nodes(List<String> options) throws IOException, InterruptedException {
                return site.nodes(options);
            }

            @Override
            public List<Finding> findings(List<String> options, Path folder, long patience)
                    throws InterruptedException {
                Submissions alike = Submissions.of(options, environment, 0);
                return new SlurmDoctor(site, alike, folder).findings(patience);
            }
        };
    }
}
