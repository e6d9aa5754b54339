package io.sheaf.runtime.batch;

import io.sheaf.agent.AgentSettings;
import io.sheaf.batch.JobLimits;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.util.Map;

/**
 * Opens the {@link BatchCluster} of a run.
 *
 * @param environment the environment of commands and jobs
 * @param interval the maximum age of the shared snapshot of the user's queue, in milliseconds
 */
public record BatchAccess(BatchCommands commands, Map<String, String> environment, int interval)
        implements ClusterAccess {
    @Override
    public void check(RunSpec spec, Workflow workflow) throws IOException {
        if (spec.strategy().equals(RunSpec.WHOLE)) {
            throw new InputException(commands.title() + " takes no workflows as a whole; leave --whole out");
        }
        try {
            commands.check(spec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        JobLimits offered = spec.offered(AgentSettings.keptMillis(AgentSettings.GRACE_MILLIS));
        Preflight.check(workflow, spec, offered, environment);
    }

    @Override
    public Cluster open(RunSpec spec, Context around) throws IOException {
        PilotJobScript run = new PilotJobScript(
                around.launch(),
                around.folder(),
                spec.id(),
                spec.coresPerNode(),
                around.own().resolve(commands.system().name()),
                spec.where().options(),
                spec.name(),
                spec.pools());
        SharedQueue queue =
                new SharedQueue(commands, StateFolder.of(environment).resolve(commands.queueFile()), interval);
        return new BatchCluster(
                new BatchCluster.Capacity(spec.nodes(), spec.coresPerNode(), spec.cap()),
                commands,
                run,
                queue,
                around,
                commands.forecast(spec, around, interval));
    }
}
