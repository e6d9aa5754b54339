package io.sheaf.runtime.batch;

import io.sheaf.agent.AgentSettings;
import io.sheaf.batch.JobLimits;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.cluster.FileStaging;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.runtime.spec.Site;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Opens the {@link BatchCluster} of a run.
 *
 * @param environment the environment of commands and jobs
 * @param site where commands run and how files get there
 * @param interval the maximum age of the shared snapshot of the user's queue, in milliseconds
 */
public record BatchAccess(BatchCommands commands, Site site, Map<String, String> environment, int interval)
        implements ClusterAccess {
    /** The time limit of a transfer in milliseconds. */
    private static final int TRANSFER_LIMIT_MILLIS = 3_600_000;

    @Override
    public void check(RunSpec spec, Workflow workflow) throws IOException {
        if (spec.strategy().equals(RunSpec.WHOLE)) {
            throw new InputException(commands.title() + " does not support --whole; remove that option");
        }
        try {
            commands.check(spec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        JobLimits offered = spec.offered(AgentSettings.reserveMillis(AgentSettings.GRACE_MILLIS));
        Preflight.check(workflow, spec, offered, commands.system().has(BatchSystem.Feature.FIXED_NODES), environment);
    }

    @Override
    public Cluster open(RunSpec spec, Context context) throws IOException {
        Path all = context.own().resolve(commands.system().name());
        Site.Staging staging = site.staging();
        FileStaging files = staging == null ? null : files(staging, context, all);
        PilotJobScript run = new PilotJobScript(
                staging == null || files == null
                        ? context.launch()
                        : context.launch().onRemote(files::remotePath, staging.java()),
                context.folder(),
                spec.id(),
                spec.node().cores(),
                all,
                spec.where().options(),
                spec.name(),
                spec.pools(),
                files);
        SharedQueue queue =
                new SharedQueue(commands, StateFolder.of(environment).resolve(commands.queueFile()), interval);
        return new BatchCluster(spec, commands, run, queue, context, commands.forecast(spec, context, interval));
    }

    private FileStaging files(Site.Staging staging, Context context, Path all) throws IOException {
        CommandRunner local =
                new CommandRunner(null, environment, Map.of(), TRANSFER_LIMIT_MILLIS, List.of(), List.of());
        CommandRunner remote =
                new CommandRunner(null, environment, Map.of(), CommandRunner.LIMIT_MILLIS, List.of(), site.prefix());
        return new FileStaging(
                staging,
                context.folder(),
                context.own().resolve("transfers"),
                all,
                words -> succeed(local, words),
                words -> succeed(remote, words),
                interval);
    }

    private void succeed(CommandRunner runner, List<String> words) throws IOException, InterruptedException {
        CommandRunner.Answer answer = runner.order(null, words.toArray(String[]::new));
        if (!answer.isGood()) {
            throw new IOException(words.get(0) + " for site " + site.name() + ": " + answer.why());
        }
    }
}
