package io.sheaf.slurm;

import io.sheaf.runtime.batch.AwayException;
import io.sheaf.runtime.batch.BatchCluster;
import io.sheaf.runtime.batch.BatchControl;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.SharedQueue;
import io.sheaf.runtime.cluster.Cluster;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.spec.Preflight;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.slurm.whatif.SlurmForecast;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A cluster with Slurm, which this machine is a login node or a node of. */
public final class SlurmSite implements ClusterAccess {
    public static final String NAME = "slurm";

    private final Map<String, String> environment;
    private final CommandRunner commands;
    private final SharedQueue queue;
    private final String user;

    /**
     * The cluster that the commands of an environment lead to.
     *
     * @param interval how old the picture of the queue may be, in milliseconds
     */
    public SlurmSite(Map<String, String> environment, int interval) {
        this(environment, interval, CommandRunner.LIMIT_MILLIS);
    }

    /** The same with another time limit for commands. */
    SlurmSite(Map<String, String> environment, int interval, int limit) {
        this.environment = Map.copyOf(environment);
        commands = SlurmCommands.of(null, environment, limit);
        user = System.getProperty("user.name");
        queue = new SharedQueue(
                new SlurmQueue(commands, user),
                StateFolder.of(environment)
                        .resolve("squeue-"
                                + Integer.toHexString(environment
                                        .getOrDefault("SLURM_CONF", "")
                                        .hashCode())),
                interval);
    }

    public CommandRunner commands() {
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

    /** Submits a script with these words. */
    public BatchControl.Submitted submit(Path script, List<String> words) throws IOException, InterruptedException {
        return SlurmControl.submit(commands, script, words);
    }

    /** The nodes that a run with these options may use. */
    public Nodes nodes(List<String> options) throws IOException, InterruptedException {
        String partition = Sinfo.partition(options, environment);
        CommandRunner.Answer answer = commands.ask("sinfo", "-h", "-N", "-o", Sinfo.FORMAT);
        if (!answer.isGood()) {
            throw new AwayException("sinfo: " + answer.why());
        }
        return Sinfo.parse(answer.lines(), partition);
    }

    /** Whether a job that depends on another one keeps its place in the queue here. */
    public boolean dependentsKeepTheirPlace() throws AwayException, InterruptedException {
        CommandRunner.Answer answer = commands.ask("scontrol", "show", "config");
        if (!answer.isGood()) {
            throw new AwayException("scontrol: " + answer.why());
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
        Preflight.check(workflow, spec, spec.gpusPerNode(), nodes.memory(), environment);
    }

    @Override
    public Cluster open(RunSpec spec, Context around) throws IOException {
        JobScript script = new JobScript(
                around.launch(),
                around.folder(),
                spec.id(),
                spec.coresPerNode(),
                spec.gpusPerNode(),
                spec.where().options());
        return new BatchCluster(
                JobScript.folder(around.folder()),
                new BatchCluster.Capacity(spec.nodes(), spec.coresPerNode(), spec.cap()),
                new SlurmControl(commands, user, script),
                queue,
                around.log(),
                around.link(),
                around.clock(),
                around.wake(),
                around.messages(),
                SlurmForecast.open(
                        commands,
                        user,
                        learnt(),
                        Submissions.of(spec.where().options(), environment, spec.coresPerNode()),
                        spec.id(),
                        around));
    }
}
