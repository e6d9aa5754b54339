package io.sheaf.slurm;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.ManagerJob;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueForecast;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.SystemCommands;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.limits.LimitsFile;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.slurm.whatif.Preemptions;
import io.sheaf.slurm.whatif.SlurmForecast;
import io.sheaf.slurm.whatif.SlurmPools;
import io.sheaf.slurm.whatif.SlurmWhatIf;
import io.sheaf.slurm.whatif.StartRecords;
import io.sheaf.slurm.whatif.Submissions;
import io.sheaf.text.TimeText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's commands, on the cluster that the environment selects.
 *
 * <p>Times are epoch seconds ({@code SLURM_TIME_FORMAT=%s}), and array tasks are listed in full. The commands run
 * without the variables of a surrounding job, so that a new job does not inherit its size.
 */
public final class SlurmCommands extends SystemCommands {
    public static final BatchSystem SYSTEM = new BatchSystem(
            "slurm",
            "Slurm",
            SbatchOptions::words,
            "SLURM_CLUSTERS",
            List.of("SBATCH_", "SLURM_"),
            EnumSet.allOf(BatchSystem.Feature.class),
            SlurmCommands::new);

    /** Errors of slurmctld or the network that do not mean a wrong command. */
    private static final List<String> UNREACHABLE_TEXTS = List.of(
            "Unable to contact slurm controller",
            "can't be reached now",
            "Socket timed out",
            "Connection refused",
            "Connection timed out",
            "Zero Bytes were transmitted",
            "slurm_persist_conn",
            "Transport endpoint",
            "Slurm temporarily unable to accept job",
            "in standby mode",
            "Resource temporarily unavailable",
            "Protocol authentication error",
            "Unexpected message received",
            "Unspecified error");

    private static final Map<String, String> QUERY_ENVIRONMENT =
            Map.of("SLURM_TIME_FORMAT", "%s", "SLURM_BITSTR_LEN", "0");
    private static final String CLUSTER = "SLURM_CONF";

    /** The columns of {@link #accounting}. */
    private static final String ACCOUNTED =
            "JobID,JobIDRaw,User,JobName,Partition,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,ReqCPUS,AllocCPUS,ReqNodes,AllocNodes,State";

    /** Creates the commands for the cluster that the environment selects. */
    public SlurmCommands(Reach reach) {
        this(reach.environment(), runner(null, reach, CommandRunner.LIMIT_MILLIS), reach.user());
    }

    /** The same with another command runner. */
    SlurmCommands(Map<String, String> environment, CommandRunner commands, String user) {
        super(SYSTEM, environment, commands, user, "scancel", environment.getOrDefault(CLUSTER, ""));
    }

    /**
     * Runs Slurm's commands with the variables of the reach only.
     *
     * @param folder the folder of the commands; null to search the environment's PATH
     * @param limitMillis the timeout of each command
     */
    public static CommandRunner runner(@Nullable Path folder, Reach reach, int limitMillis) {
        Map<String, String> own = new HashMap<>(reach.environment());
        if (own.containsKey("SLURM_JOB_ID")) {
            own.keySet().removeIf(name -> name.matches("SLURMD?_.*") && !name.matches("SLURM_(CONF|CLUSTERS)"));
        }
        return new CommandRunner(folder, own, QUERY_ENVIRONMENT, limitMillis, UNREACHABLE_TEXTS, reach.prefix());
    }

    // --- the cluster ---

    @Override
    public Nodes nodes(List<String> options) throws IOException, InterruptedException {
        return SlurmAnswers.nodes(
                commands.required("sinfo", "-h", "-N", "-o", SlurmAnswers.NODE_FORMAT)
                        .lines(),
                Submissions.partition(options, environment));
    }

    @Override
    public JobLimits limits(List<String> options, int cores) throws IOException, InterruptedException {
        return whatIf(options, cores).limits(System.currentTimeMillis());
    }

    @Override
    public List<String> obstacles(List<String> options, int cores) throws IOException, InterruptedException {
        return whatIf(options, cores).obstacles(System.currentTimeMillis());
    }

    @Override
    public Pools pools(List<String> options, int cores, boolean unequal) throws IOException, InterruptedException {
        List<String> nodes = commands.required("sinfo", "-h", "-N", "-o", SlurmAnswers.NODE_FORMAT)
                .lines();
        return new SlurmPools(commands, user)
                .read(
                        Submissions.of(options, environment, cores),
                        partition -> SlurmAnswers.nodes(nodes, partition),
                        unequal ? SlurmAnswers.hosts(nodes) : Map.of(),
                        new Preemptions(learnt())::mean,
                        LimitsFile.limits().prices());
    }

    @Override
    public void check(RunSpec spec) throws IOException, InterruptedException {
        nodes(spec.where().options());
        List<String> words = new ArrayList<>(List.of("sbatch", "--test-only", "-N", "1", "-t", "1"));
        words.addAll(spec.where().options());
        words.addAll(List.of("--wrap", "true"));
        SlurmAnswers.expectValid(commands.query(words.toArray(String[]::new)));
    }

    @Override
    public List<Finding> findings(List<String> options, Path folder, long timeout) throws InterruptedException {
        return new SlurmDoctor(this, options).findings(folder, timeout);
    }

    @Override
    public String queueFile() {
        return file("squeue");
    }

    @Override
    public String query() throws IOException, InterruptedException {
        return printed("squeue", "-h", "-u", user, "-o", SlurmAnswers.QUEUE_FORMAT);
    }

    @Override
    public List<QueueLine> parse(String text) {
        return SlurmAnswers.queue(text);
    }

    // --- jobs ---

    @Override
    public long granted(long walltime) {
        return SlurmScript.granted(walltime);
    }

    @Override
    public String script(PilotJobScript run, long token, Request request) {
        return SlurmScript.text(run, token, request);
    }

    @Override
    public Submitted submit(
            PilotJobScript run, Path script, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException {
        return submit(script, SlurmScript.submission(run, token, request, delaySeconds, afterJob));
    }

    /** Submits a script with these arguments. */
    Submitted submit(Path script, List<String> words) throws IOException, InterruptedException {
        return SlurmAnswers.submitted(commands.order(script, words.toArray(String[]::new)));
    }

    @Override
    public List<NamedJob> find(String name) throws IOException, InterruptedException {
        return SlurmAnswers.found(
                commands.required("squeue", "-h", "-t", "all", "-u", user, "-o", SlurmAnswers.FOUND_FORMAT)
                        .lines(),
                name);
    }

    @Override
    public JobState state(long job, BooleanSupplier began) throws IOException, InterruptedException {
        CommandRunner.Answer shown = commands.query("scontrol", "-o", "show", "job", Long.toString(job));
        JobState known = SlurmAnswers.shown(shown);
        if (known != null) {
            return known;
        }
        if (!shown.why().contains("Invalid job id")) {
            throw new UnreachableException("scontrol: " + shown.why());
        }
        try {
            CommandRunner.Answer kept =
                    commands.order(null, "sacct", "-n", "-P", "-X", "-j", Long.toString(job), "-o", "State");
            JobState state = SlurmAnswers.state(kept.out().strip().split("\\s+")[0]);
            return kept.isGood() && state.isFinal() ? state : JobState.UNLISTED;
        } catch (UnreachableException e) {
            // Without slurmdbd, slurmctld's answer is enough to know that the job has ended.
            return JobState.UNLISTED;
        }
    }

    @Override
    public List<String> hosts(long job) throws IOException, InterruptedException {
        return SlurmAnswers.hosts(commands.query("scontrol", "-o", "show", "job", Long.toString(job)));
    }

    @Override
    public boolean limit(PilotJobScript run, long job, long walltime) throws IOException, InterruptedException {
        long minutes = TimeText.wholeMinutes(walltime);
        ElasticRequest minimum = ElasticRequest.of(run.options());
        List<String> words = new ArrayList<>(List.of("scontrol", "update", "JobId=" + job, "TimeLimit=" + minutes));
        if (minimum.minutes() > minutes) {
            words.add("TimeMin=" + minutes);
        }
        return commands.order(null, words.toArray(String[]::new)).isGood();
    }

    @Override
    public String releaseCommand(long job) {
        return "scontrol release " + job;
    }

    // --- estimates, and the manager as a job ---

    /** The folder of what is learnt about the cluster, shared by all processes of the user. */
    private Path learnt() {
        String cluster = (environment.getOrDefault(CLUSTER, "") + commands.prefix()).replaceAll("[^0-9A-Za-z.-]+", "_");
        String name = StateFolder.fileName(cluster.isEmpty() ? "cluster" : cluster);
        return StateFolder.of(environment).resolve(SYSTEM.name()).resolve(name);
    }

    @Override
    public QueueForecast forecast(RunSpec spec, ClusterAccess.Context context, int interval) {
        Submissions submissions = Submissions.of(
                        spec.where().options(), environment, spec.node().cores())
                .in(spec.pools());
        return new SlurmForecast(commands, user, learnt(), submissions, spec.id(), context);
    }

    @Override
    public SlurmWhatIf whatIf(List<String> options, int coresPerNode) {
        return whatIf(options, coresPerNode, Pools.NONE);
    }

    @Override
    public SlurmWhatIf whatIf(List<String> options, int coresPerNode, Pools pools) {
        return new SlurmWhatIf(
                commands,
                user,
                learnt(),
                Submissions.of(options, environment, coresPerNode).in(pools));
    }

    @Override
    public ManagerJob managerJob(Path run, String id, String partition, List<String> options, long walltime) {
        return new SlurmManagerJob(
                this,
                run,
                id,
                partition,
                options,
                TimeText.wholeMinutes(walltime),
                environment.getOrDefault("SLURM_JOB_ID", ""));
    }

    @Override
    public @Nullable String dependentsLose() throws IOException, InterruptedException {
        return SlurmAnswers.dependentsKeepTheirPlace(printed("scontrol", "show", "config"))
                ? null
                : "PriorityFlags without ACCRUE_ALWAYS";
    }

    @Override
    public String accounting(long since) throws IOException, InterruptedException {
        String from = LocalDateTime.ofInstant(Instant.ofEpochMilli(since), ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        return printed("sacct", "-a", "-X", "-P", "-D", "-S", from, "-E", "now", "-o", ACCOUNTED);
    }

    @Override
    public Map<String, List<Long>> startErrors(Path state, String run) throws IOException {
        return StartRecords.errors(state.resolve(SYSTEM.name()), run);
    }
}
