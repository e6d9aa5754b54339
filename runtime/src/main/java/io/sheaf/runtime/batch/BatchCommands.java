package io.sheaf.runtime.batch;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.batch.QueueSnapshot;
import io.sheaf.manager.Request;
import io.sheaf.predict.StartEstimator;
import io.sheaf.runtime.cluster.ClusterAccess;
import io.sheaf.runtime.doctor.Finding;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one batch system on one cluster, and the meaning of their answers: all that a {@link BatchSystem}
 * adds to a {@link BatchCluster}.
 *
 * <p>Methods that run commands may take minutes. They are called outside the event loop, and may be called by several
 * threads; implementations are thread-safe. After an {@link UnreachableException} it is unknown whether the command had an effect; the caller repeats a
 * query, or searches for the submitted job. Jobs have numbers, and names that {@link #name} creates. Walltimes are
 * in milliseconds.
 */
public interface BatchCommands extends SharedQueue.QueueSource {
    /** In place of a job's number: unknown. */
    long UNKNOWN = -1;

    /** Characters of a workflow's name in the names of its jobs. */
    int LONGEST_LABEL = 32;

    Pattern SHOWN = Pattern.compile("sheaf-[A-Za-z0-9_-]+-p([0-9]{1,18})\\.([A-Za-z0-9]+)");

    /** The identity of a pilot job's job, by which it is found again. */
    static String name(String run, long token) {
        return prefix(run) + token;
    }

    /** The beginning of the {@link #name} of each job of a run. */
    static String prefix(String run) {
        return "sheaf-" + run + ".";
    }

    /**
     * The name of a pilot job's job in the lists of a batch system: {@code sheaf-montage-p1.1f0c…} for its first pilot job.
     * {@link #identity} is its inverse.
     *
     * @param workflow the name of the workflow; may be empty
     */
    static String shownName(String workflow, String run, long token) {
        String label = workflow.replaceAll("[^A-Za-z0-9_-]", "_");
        label = label.substring(0, Math.min(LONGEST_LABEL, label.length()));
        return label.isEmpty() ? name(run, token) : "sheaf-" + label + "-p" + token + "." + run;
    }

    /** The {@link #name} of a job by its {@link #shownName}; any other name is returned unchanged. */
    static String identity(String shown) {
        Matcher matcher = SHOWN.matcher(shown);
        return matcher.matches() ? name(matcher.group(2), Long.parseLong(matcher.group(1))) : shown;
    }

    /** Whether a job has the name or shown name of a pilot job of any run. */
    static boolean isPilotJob(String shown) {
        return identity(shown).matches("sheaf-[A-Za-z0-9]+\\.[0-9]{1,18}");
    }

    /** The end of a job's {@link #shownName} by its {@link #name}: what follows the workflow's name. */
    static String shownEnd(String name) {
        int dot = name.lastIndexOf('.');
        return "-p" + name.substring(dot + 1) + "." + name.substring(name.indexOf('-') + 1, dot);
    }

    /** The token in the name or shown name of a job of this run; {@link QueueSnapshot#OTHERS} for another name. */
    static long token(String run, String shown) {
        String name = identity(shown);
        String prefix = prefix(run);
        boolean own = name.startsWith(prefix) && name.substring(prefix.length()).matches("[0-9]{1,18}");
        return own ? Long.parseLong(name.substring(prefix.length())) : QueueSnapshot.OTHERS;
    }

    BatchSystem system();

    /** The name of the batch system in messages. */
    default String title() {
        return system().title();
    }

    // --- the cluster ---

    /** The nodes that a run with these options may use. */
    Nodes nodes(List<String> options) throws IOException, InterruptedException;

    /**
     * The limits of one job of a run with these options, as far as the batch system reports them; refused if they allow no job.
     *
     * @param cores the cores of each node that a job requests
     */
    default JobLimits limits(List<String> options, int cores) throws IOException, InterruptedException {
        return JobLimits.NONE;
    }

    /**
     * Why jobs of a run with these options would not start at present, although the batch system accepts them; empty if they would.
     *
     * @param cores the cores of each node that a job requests
     */
    default List<String> obstacles(List<String> options, int cores) throws IOException, InterruptedException {
        return List.of();
    }

    /**
     * The node pools that a pilot job of a run with these options may be submitted to, such as partitions; none if the
     * options or the cluster leave no choice.
     *
     * @param cores the cores of each node that a job requests, where nodes do not differ
     * @param unequal whether nodes that differ are in pools of their own
     */
    default Pools pools(List<String> options, int cores, boolean unequal) throws IOException, InterruptedException {
        return Pools.NONE;
    }

    /** Refuses a run whose jobs are impossible here. */
    void check(RunSpec spec) throws IOException, InterruptedException;

    /**
     * Checks whether runs with these options will work.
     *
     * @param folder one that compute nodes see
     * @param timeout how long to wait for a job that checks a node, in milliseconds; 0 for no job
     */
    List<Finding> findings(List<String> options, Path folder, long timeout) throws InterruptedException;

    /** The name of the file in which all processes of the user on this cluster share the result of {@link #query}. */
    String queueFile();

    // --- jobs of a run ---

    /**
     * The time limit that the batch system grants for a requested walltime: at least as long, rounded up to its
     * unit.
     */
    long granted(long walltime);

    /** The script of a pilot job; {@link PilotJobScript} has the common part of all batch systems. */
    String script(PilotJobScript run, long token, Request request) throws IOException, InterruptedException;

    /**
     * Submits a pilot job's script, once.
     *
     * @param delaySeconds the minimum delay until its start; 0 if it may start at once
     * @param afterJob the job that must end first; {@link #UNKNOWN} if there is none
     */
    Submitted submit(PilotJobScript run, Path script, long token, Request request, long delaySeconds, long afterJob)
            throws IOException, InterruptedException;

    /** The user's jobs with this name, including ended ones that the batch system still lists. */
    List<NamedJob> find(String name) throws IOException, InterruptedException;

    /**
     * The state of a job; {@link JobState#UNLISTED} if the batch system does not list it.
     *
     * @param began whether the job has left a mark in its pilot job's folder
     */
    JobState state(long job, BooleanSupplier began) throws IOException, InterruptedException;

    /** Cancels jobs; a job that has ended is not an error. */
    void cancel(List<Long> jobs) throws IOException, InterruptedException;

    /** Lowers the time limit of a queued job of a run; returns whether the batch system accepted it. */
    boolean limit(PilotJobScript run, long job, long walltime) throws IOException, InterruptedException;

    /** The command by which a user releases a held job. */
    String releaseCommand(long job);

    /**
     * The names of the nodes of a job that has started or ended, in the order of its agents; empty if the batch system does not
     * tell. They are those that agents report.
     */
    default List<String> hosts(long job) throws IOException, InterruptedException {
        return List.of();
    }

    // --- optional features ---

    /** Start-time estimates for the jobs of a run. */
    default QueueForecast forecast(RunSpec spec, ClusterAccess.Context context, int interval) {
        return () -> StartEstimator.UNINFORMED;
    }

    /** Whether the queue of all users can be read for {@link #whatIf} estimates. */
    default boolean canEstimate() {
        return false;
    }

    /** What-if estimates of jobs that would be submitted with these options; refused unless {@link #canEstimate}. */
    default WhatIf whatIf(List<String> options, int coresPerNode) {
        throw new InputException("the queue of " + title() + " cannot be read, so there are no estimates from it");
    }

    /** The same for jobs that are submitted to one of some pools each. */
    default WhatIf whatIf(List<String> options, int coresPerNode, Pools pools) {
        return whatIf(options, coresPerNode);
    }

    /**
     * The manager of a run as a batch job; refused if the batch system does not support it.
     *
     * @param run the run's folder
     * @param options of the run's pilot jobs
     * @param walltime of each manager job
     */
    default ManagerJob managerJob(Path run, String id, String partition, List<String> options, long walltime) {
        throw new InputException("--manager-job cannot be used with " + title() + "; use --detach");
    }

    /** Why a job that depends on another one loses its place in the queue; null if it keeps it. */
    default @Nullable String dependentsLose() throws IOException, InterruptedException {
        return null;
    }

    /**
     * How many milliseconds later than predicted jobs of a run started, by estimator; empty if that is not
     * recorded.
     *
     * @param state the user's folder for state
     */
    default Map<String, List<Long>> startErrors(Path state, String run) throws IOException {
        return Map.of();
    }

    /**
     * The accounting of all visible users' jobs since an instant, as the text of {@code sacct --parsable2}; refused if the batch system has none.
     *
     * @param since in milliseconds since 1970
     */
    default String accounting(long since) throws IOException, InterruptedException {
        throw new InputException("the accounting of " + title() + " cannot be read; export it to a file");
    }

    /** A job with a pilot job's name. */
    record NamedJob(long job, JobState state) {}

    /**
     * The result of a submission.
     *
     * @param job its number; {@link BatchCommands#UNKNOWN} if it was refused, or was accepted and the number could
     * not be read
     * @param refusal why it was refused; empty if it was not
     * @param later whether it was refused because of a job limit, and may be accepted later
     */
    record Submitted(long job, String refusal, boolean later) {
        public static Submitted as(long job) {
            return new Submitted(job, "", false);
        }

        public static Submitted refused(String why, boolean later) {
            return new Submitted(BatchCommands.UNKNOWN, why, later);
        }

        public boolean isRefused() {
            return !refusal.isEmpty();
        }
    }
}
