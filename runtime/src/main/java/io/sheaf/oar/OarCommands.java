package io.sheaf.oar;

import io.sheaf.batch.QueueSnapshot;
import io.sheaf.manager.Request;
import io.sheaf.runtime.batch.BatchCommands;
import io.sheaf.runtime.batch.BatchSystem;
import io.sheaf.runtime.batch.CommandRunner;
import io.sheaf.runtime.batch.JobState;
import io.sheaf.runtime.batch.Nodes;
import io.sheaf.runtime.batch.PilotJobScript;
import io.sheaf.runtime.batch.QueueForecast;
import io.sheaf.runtime.batch.QueueLine;
import io.sheaf.runtime.batch.Reach;
import io.sheaf.runtime.batch.SnapshotForecast;
import io.sheaf.runtime.batch.SnapshotWhatIf;
import io.sheaf.runtime.batch.SystemCommands;
import io.sheaf.runtime.batch.UnreachableException;
import io.sheaf.runtime.batch.WhatIf;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.learnt.StateFolder;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * OAR's commands, on the cluster that the environment selects. They query OAR's database and block while it is down,
 * until the command's timeout. They run without the variables of a surrounding job.
 */
public final class OarCommands extends SystemCommands {
    private static final Map<String, String> WORDS = Map.of(
            "account", "--project=",
            "partition", "--queue=",
            "constraint", "--property=");

    public static final BatchSystem SYSTEM = new BatchSystem(
            "oar", "OAR", terms -> terms.words("OAR", WORDS), "", List.of("OAR_"), Set.of(), OarCommands::new);

    /** The part of the schedule that is read. */
    private static final Duration AHEAD = Duration.ofDays(60);

    /** Errors of a command when the server, Almighty, does not answer. The job may be in the database nevertheless. */
    private static final List<String> UNREACHABLE_TEXTS = List.of(
            "Cannot connect to executor",
            "Could not connect to the socket",
            "could not connect to server",
            "Connection refused",
            "Cannot connect to database",
            "Failed to connect");

    /** Whether resources have the property of their node's memory; null before it was queried. */
    private volatile @Nullable Boolean hasMemory;

    /** Creates the commands for the cluster that the environment selects. */
    public OarCommands(Reach reach) {
        this(reach.environment(), runner(null, reach, CommandRunner.LIMIT_MILLIS), reach.user());
    }

    /** The same with another command runner. */
    OarCommands(Map<String, String> environment, CommandRunner commands, String user) {
        super(SYSTEM, environment, commands, user, "oardel", environment.getOrDefault("OARCONFFILE", ""));
    }

    /**
     * Runs OAR's commands with these variables only.
     *
     * @param folder the folder of the commands; null to search the environment's PATH
     * @param limitMillis the timeout of each command
     */
    static CommandRunner runner(@Nullable Path folder, Reach reach, int limitMillis) {
        Map<String, String> own = new HashMap<>(reach.environment());
        own.keySet().removeIf(variable -> variable.startsWith("OAR_"));
        return new CommandRunner(folder, own, Map.of(), limitMillis, UNREACHABLE_TEXTS, reach.prefix());
    }

    // --- the cluster ---

    /** Ignores node properties in the options; OAR checks them at submission. */
    @Override
    public Nodes nodes(List<String> options) throws IOException, InterruptedException {
        return OarAnswers.nodes(printed("oarnodes", "-J"), System.currentTimeMillis() / 1000);
    }

    @Override
    public void check(RunSpec spec) {
        if (spec.node().gpus() > 0) {
            throw new InputException(
                    "names of GPU resources differ between OAR clusters, so Sheaf does not request GPUs;"
                            + " remove gpus from the workflow, and select nodes with GPUs by a property with --constraint");
        }
    }

    @Override
    public List<Finding> findings(List<String> options, Path folder, long timeout) throws InterruptedException {
        return new OarDoctor(this, options).findings(folder, timeout);
    }

    @Override
    public String queueFile() {
        return file("oarstat");
    }

    @Override
    public String query() throws IOException, InterruptedException {
        return printed("oarstat", "-u", user, "-f", "-J");
    }

    @Override
    public List<QueueLine> parse(String text) {
        return OarAnswers.queue(text);
    }

    @Override
    public QueueForecast forecast(RunSpec spec, ClusterAccess.Context context, int interval) {
        return new SnapshotForecast(
                source(spec.node().cores(), name -> BatchCommands.token(spec.id(), name)),
                StateFolder.of(environment).resolve(file("oargantt")),
                interval);
    }

    @Override
    public WhatIf whatIf(List<String> options, int coresPerNode) {
        return new SnapshotWhatIf(source(coresPerNode, name -> QueueSnapshot.OTHERS), title());
    }

    /** OAR's schedule of the queue, for jobs that use some cores of each node. */
    SnapshotForecast.SnapshotSource source(int cores, ToLongFunction<String> tokens) {
        return new SnapshotForecast.SnapshotSource() {
            @Override
            public String print(long now) throws IOException, InterruptedException {
                Instant from = Instant.ofEpochMilli(now);
                Instant until = from.plus(AHEAD);
                return printed("oarstat", "--gantt", OarScript.text(from) + ", " + OarScript.text(until), "-J");
            }

            @Override
            public SnapshotForecast.SnapshotQueue parse(String text, long now) {
                return new SnapshotForecast.SnapshotQueue(OarSchedule.parse(text, cores, now, tokens), false);
            }

            @Override
            public String place() {
                return "all queues";
            }

            @Override
            public long occupied(long walltime) {
                return OarScript.limit(walltime);
            }
        };
    }

    // --- jobs ---

    @Override
    public long granted(long walltime) {
        return OarScript.limit(walltime);
    }

    /** The script of a request; the nodes are queried only for a request of memory. */
    private OarScript script(PilotJobScript run, Request request) throws IOException, InterruptedException {
        return new OarScript(
                run, environment.getOrDefault("PATH", ""), request.node().memory() > 0 && hasMemory(run.options()));
    }

    private boolean hasMemory(List<String> options) throws IOException, InterruptedException {
        Boolean known = hasMemory;
        if (known == null) {
            known = nodes(options).memory() > 0;
            hasMemory = known;
        }
        return known;
    }

    @Override
    public String script(PilotJobScript run, long token, Request request) throws IOException, InterruptedException {
        return script(run, request).text(token, request);
    }

    @Override
    public Submitted submit(
            PilotJobScript run, Path script, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException {
        Instant notBefore = delaySeconds > 0 ? Instant.now().plusSeconds(delaySeconds) : null;
        return submit(script(run, request).submission(token, request, notBefore, afterJob));
    }

    /** Submits with these arguments. */
    Submitted submit(List<String> words) throws IOException, InterruptedException {
        return OarAnswers.submitted(commands.order(null, words.toArray(String[]::new)));
    }

    /** Searches OAR's database by identity or shown name. */
    @Override
    public List<NamedJob> find(String name) throws IOException, InterruptedException {
        String where = "job_user = " + literal(user) + " AND (job_name = " + literal(name) + " OR job_name LIKE "
                + literal("sheaf-%" + BatchCommands.shownEnd(name)) + ")";
        List<NamedJob> found = new ArrayList<>();
        jobs("--sql", where)
                .forEach((number, job) -> found.add(new NamedJob(Long.parseLong(number), OarAnswers.state(job))));
        return found;
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    @Override
    public JobState state(long job, BooleanSupplier began) throws IOException, InterruptedException {
        OarJson answer = job(job);
        return answer == null ? JobState.UNLISTED : OarAnswers.state(answer);
    }

    /** A job from {@code oarstat}; null if OAR does not know it. */
    @Nullable
    OarJson job(long number) throws IOException, InterruptedException {
        return jobs("-f", "-j", Long.toString(number)).get(Long.toString(number));
    }

    /** The selected jobs by id, from {@code oarstat}. */
    private Map<String, OarJson> jobs(String... selection) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("oarstat", "-J"));
        words.addAll(List.of(selection));
        String text = printed(words.toArray(String[]::new));
        try {
            return OarJson.parse("oarstat", text).objects();
        } catch (InputException e) {
            throw new UnreachableException(String.valueOf(e.getMessage()));
        }
    }

    /** OAR cannot change a queued job; agents receive the new limit when they connect, and keep to it. */
    @Override
    public boolean limit(PilotJobScript run, long job, long walltime) {
        return true;
    }

    @Override
    public String releaseCommand(long job) {
        return "oarresume " + job;
    }
}
