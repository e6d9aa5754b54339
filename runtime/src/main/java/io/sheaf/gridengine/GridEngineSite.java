package io.sheaf.gridengine;

import io.sheaf.agent.link.RunFolder;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.batch.BatchCluster;
import io.sheaf.runtime.batch.BatchSite;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueForecast;
import io.sheaf.runtime.batch.SharedQueue;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A cluster with Grid Engine, which this machine may submit to. */
public final class GridEngineSite implements BatchSite {
    public static final String NAME = "gridengine";

    private final Map<String, String> environment;
    private final CommandRunner commands;
    private final String user = System.getProperty("user.name");
    private final SharedQueue queue;

    /**
     * The cluster that the commands of an environment lead to.
     *
     * @param interval how old the picture of the queue may be, in milliseconds
     */
    public GridEngineSite(Map<String, String> environment, int interval) {
        this.environment = Map.copyOf(environment);
        commands = GridEngineCommands.of(null, environment, CommandRunner.LIMIT_MILLIS);
        String cluster = environment.getOrDefault("SGE_ROOT", "") + ":" + environment.getOrDefault("SGE_CELL", "");
        queue = new SharedQueue(
                new GridEngineQueue(commands, user),
                StateFolder.of(environment).resolve("qstat-" + Integer.toHexString(cluster.hashCode())),
                interval);
    }

    CommandRunner commands() {
        return commands;
    }

    String user() {
        return user;
    }

    /** The slots of queues, and how the environment that options name lays them out. */
    QueueSlots slots(QsubOptions options) throws IOException, InterruptedException {
        String rule = "";
        int most = 1;
        if (!options.environment().isEmpty()) {
            CommandRunner.Answer said = commands.ask("qconf", "-sp", options.environment());
            if (!said.isGood()) {
                throw new InputException("-pe " + options.environment() + ": " + said.why() + ". There are: "
                        + String.join(", ", commands.ask("qconf", "-spl").lines()));
            }
            rule = QueueSlots.attribute("allocation_rule", said.out());
            most = Integer.parseInt(QueueSlots.attribute("slots", said.out()));
        }
        return QueueSlots.of(GridEngineControl.ask(commands, "qstat", "-f", "-xml"), options, rule, most);
    }

    @Override
    public Nodes nodes(List<String> options) throws IOException, InterruptedException {
        return slots(QsubOptions.of(options)).nodes();
    }

    @Override
    public void check(RunSpec spec, Workflow workflow) throws IOException {
        if (spec.strategy().equals(RunSpec.WHOLE)) {
            throw new InputException("Grid Engine takes no workflows as a whole; leave --whole out");
        }
        if (spec.gpusPerNode() > 0) {
            throw new InputException(
                    "GPUs are called otherwise on every cluster with Grid Engine, and are not asked for;"
                            + " give --gpus-per-node 0 and what they are called behind --, e.g. -- -l gpu=1");
        }
        try {
            slots(QsubOptions.of(spec.where().options())).check(spec.nodes(), spec.coresPerNode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        Preflight.check(workflow, spec, 0, 0, environment);
    }

    /** Where each pilot job of a run has a folder. */
    static Path folder(RunFolder run) {
        return run.path().resolve(NAME);
    }

    @Override
    public Cluster open(RunSpec spec, Context around) throws IOException {
        Path marks = folder(around.folder());
        GridEngineScript script = new GridEngineScript(
                new PilotJobScript(around.launch(), around.folder(), spec.id(), spec.coresPerNode(), 0, marks),
                QsubOptions.of(spec.where().options()));
        return new BatchCluster(
                marks,
                new BatchCluster.Capacity(spec.nodes(), spec.coresPerNode(), spec.cap()),
                new GridEngineControl(commands, user, script),
                queue,
                around.log(),
                around.link(),
                around.clock(),
                around.wake(),
                around.messages(),
                QueueForecast.of(StartEstimator.UNINFORMED));
    }

    @Override
    public List<Finding> findings(List<String> options, Path folder, long patience) throws InterruptedException {
        return new GridEngineDoctor(this, options).findings(folder, patience);
    }
}
