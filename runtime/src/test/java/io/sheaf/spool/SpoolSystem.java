package io.sheaf.spool;

import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.batch.BatchCluster;
import io.sheaf.runtime.batch.BatchSite;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueForecast;
import io.sheaf.runtime.batch.SharedQueue;
import io.sheaf.runtime.batch.Terms;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A {@link Spool} as something that runs can be on. */
public record SpoolSystem(Spool spool, int nodes) implements BatchSystem {
    @Override
    public String name() {
        return "spool";
    }

    @Override
    public String title() {
        return "the spool";
    }

    /** There is nothing to say with a submission. */
    @Override
    public List<String> words(Terms terms) {
        return terms.words(title(), Map.of());
    }

    @Override
    public BatchSite site(Map<String, String> environment, int interval) {
        return new BatchSite() {
            @Override
            public Nodes nodes(List<String> options) {
                return new Nodes(nodes, 1, 0);
            }

            @Override
            public void check(RunSpec spec, Workflow workflow) {
                Preflight.check(workflow, spec, 0, 0, environment);
            }

            @Override
            public Cluster open(RunSpec spec, Context around) throws IOException {
                Path marks = around.folder().path().resolve(name());
                SpoolControl control = new SpoolControl(
                        spool,
                        new PilotJobScript(around.launch(), around.folder(), spec.id(), spec.coresPerNode(), 0, marks));
                return new BatchCluster(
                        marks,
                        new BatchCluster.Capacity(spec.nodes(), spec.coresPerNode(), spec.cap()),
                        control,
                        new SharedQueue(control, StateFolder.of(environment).resolve("spool"), interval),
                        around.log(),
                        around.link(),
                        around.clock(),
                        around.wake(),
                        around.messages(),
                        QueueForecast.of(StartEstimator.UNINFORMED));
            }

            @Override
            public List<Finding> findings(List<String> options, Path folder, long patience) {
                return List.of(Finding.good("spool", nodes + " nodes"));
            }
        };
    }
}
