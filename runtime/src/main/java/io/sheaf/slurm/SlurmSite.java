package io.sheaf.slurm;

import io.sheaf.predict.Estimator;
import io.sheaf.runtime.Backend;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.local.Preflight;
import io.sheaf.runtime.local.RunSpec;
import io.sheaf.runtime.local.Site;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A cluster with Slurm, which this machine is a login node or a node of. */
public final class SlurmSite implements Site {
    public static final String NAME = "slurm";

    private final Map<String, String> environment;
    private final SlurmCommands commands;
    private final SharedQueue queue;
    private final String user;
    private final Estimator estimator;

    /**
     * The cluster that the commands of an environment lead to.
     *
     * @param interval how old the picture of the queue may be, in milliseconds
     * @param estimator foretells when jobs start
     */
    public SlurmSite(Map<String, String> environment, int interval, Estimator estimator) {
        this(environment, interval, SlurmCommands.LIMIT_MILLIS, estimator);
    }

    /** The same with another time limit for commands. */
    SlurmSite(Map<String, String> environment, int interval, int limit, Estimator estimator) {
        this.environment = Map.copyOf(environment);
        this.estimator = estimator;
        commands = new SlurmCommands(null, environment, limit);
        user = System.getProperty("user.name");
        queue = new SharedQueue(
                commands, StateFolder.of(environment), environment.getOrDefault("SLURM_CONF", ""), user, interval);
    }

    public SlurmCommands commands() {
        return commands;
    }

    public String user() {
        return user;
    }

    public Map<String, String> environment() {
        return environment;
    }

    /** Where what is learnt of the cluster is kept, for all processes of the user. */
    public Path learnt() {
        String cluster = environment.getOrDefault("SLURM_CONF", "").replaceAll("[^0-9A-Za-z.-]+", "_");
        return StateFolder.of(environment).resolve("slurm").resolve(cluster.isEmpty() ? "cluster" : cluster);
    }

    /** The nodes that a run with these options may use. */
    public Nodes nodes(List<String> options) throws IOException, InterruptedException {
        String partition = Nodes.partition(options, environment);
        SlurmCommands.Answer answer = commands.ask("sinfo", "-h", "-N", "-o", Nodes.FORMAT);
        if (!answer.isGood()) {
            throw new SlurmAwayException("sinfo: " + answer.why());
        }
        return Nodes.parse(answer.lines(), partition);
    }

    /** Whether a job that depends on another one keeps its place in the queue here. */
    public boolean dependentsKeepTheirPlace() throws SlurmAwayException, InterruptedException {
        SlurmCommands.Answer answer = commands.ask("scontrol", "show", "config");
        if (!answer.isGood()) {
            throw new SlurmAwayException("scontrol: " + answer.why());
        }
        return DependentJobs.keepTheirPlace(answer.out());
    }

    @Override
    public void check(RunSpec spec, Workflow workflow) throws IOException {
        if (spec.strategy().equals(RunSpec.WHOLE)) {
            throw new InputException("Slurm takes no workflows as a whole; leave --whole out");
        }
        Nodes nodes;
        try {
            nodes = nodes(spec.where().options());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        Preflight.check(
                workflow,
                Path.of(spec.workFolder()),
                spec.nodes(),
                spec.coresPerNode(),
                spec.gpusPerNode(),
                nodes.memory(),
                environment.getOrDefault("PATH", ""));
    }

    @Override
    public Backend open(RunSpec spec, Surroundings around) throws IOException {
        return new SlurmCluster(
                around.folder(),
                new JobScript(
                        around.launch(),
                        around.folder(),
                        spec.id(),
                        spec.coresPerNode(),
                        spec.gpusPerNode(),
                        spec.where().options()),
                new SlurmCluster.Capacity(spec.nodes(), spec.coresPerNode(), spec.cap()),
                new SlurmControl(commands, user),
                queue,
                new SlurmLog(around.log()),
                around.link(),
                around.clock(),
                around.wake(),
                around.messages(),
                estimator);
    }
}
