package io.sheaf.oar;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.BatchCluster;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.batch.BatchSite;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.QueueForecast;
import io.sheaf.runtime.batch.SharedAnswer;
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

/** A cluster with OAR, which this machine is a front end or a node of. */
public final class OarSite implements BatchSite {
    public static final String NAME = "oar";

    private final Map<String, String> environment;
    private final CommandRunner commands;
    private final String user = System.getProperty("user.name");
    private final int interval;

    /**
     * The cluster that the commands of an environment lead to.
     *
     * @param interval how old the picture of the queue may be, in milliseconds
     */
    public OarSite(Map<String, String> environment, int interval) {
        this.environment = Map.copyOf(environment);
        this.interval = interval;
        commands = OarCommands.of(null, environment, CommandRunner.LIMIT_MILLIS);
    }

    CommandRunner commands() {
        return commands;
    }

    /** What options say of properties that nodes must have is not looked at: OAR does, when a job is submitted. */
    @Override
    public Nodes nodes(List<String> options) throws IOException, InterruptedException {
        CommandRunner.Answer answer = commands.ask("oarnodes", "-J");
        if (!answer.isGood()) {
            throw new AwayException("oarnodes: " + answer.why());
        }
        return OarNodes.parse(answer.out(), System.currentTimeMillis() / 1000);
    }

    @Override
    public List<Finding> findings(List<String> options, Path folder, long patience) throws InterruptedException {
        return new OarDoctor(this, options).findings(folder, patience);
    }

    @Override
    public void check(RunSpec spec, Workflow workflow) throws IOException {
        if (spec.strategy().equals(RunSpec.WHOLE)) {
            throw new InputException("OAR takes no workflows as a whole; leave --whole out");
        }
        if (spec.gpusPerNode() > 0) {
            throw new InputException(
                    "GPUs are called otherwise on every cluster with OAR, and are not asked for;"
                            + " leave gpus out of the workflow, and give the property that nodes with them have by --constraint");
        }
        Preflight.check(workflow, spec, 0, 0, environment);
    }

    @Override
    public Cluster open(RunSpec spec, Context around) throws IOException {
        OarScript script = new OarScript(
                around.launch(),
                around.folder(),
                spec.id(),
                spec.coresPerNode(),
                environment.getOrDefault("PATH", ""),
                spec.where().options());
        return new BatchCluster(
                OarScript.folder(around.folder()),
                new BatchCluster.Capacity(spec.nodes(), spec.coresPerNode(), spec.cap()),
                new OarControl(commands, user, script),
                new SharedQueue(new OarQueue(commands, user), state("oarstat"), interval),
                around.log(),
                around.link(),
                around.clock(),
                around.wake(),
                around.messages(),
                QueueForecast.of(new GanttEstimator(
                        commands,
                        new SharedAnswer(state("oargantt"), Math.max(interval, GanttEstimator.APART)),
                        spec.coresPerNode(),
                        token -> BatchControl.name(spec.id(), token))));
    }

    /** Where an answer lies that all processes of the user share; clusters are told apart by their configuration. */
    private Path state(String question) {
        String cluster = environment.getOrDefault("OARCONFFILE", "");
        return StateFolder.of(environment).resolve(question + "-" + Integer.toHexString(cluster.hashCode()));
    }
}
