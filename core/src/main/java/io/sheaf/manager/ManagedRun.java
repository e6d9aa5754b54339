package io.sheaf.manager;

import io.sheaf.batch.JobLimits;
import io.sheaf.batch.Pools;
import io.sheaf.planner.PoolPolicy;
import io.sheaf.predict.RunTimeUpdate;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The state of a run: its workflow, the states of its tasks, and its pilot jobs. Strategies read it as {@link View}. */
abstract sealed class ManagedRun implements View permits Manager {
    final Rules rules;
    final List<PilotJob> pilotJobs = new ArrayList<>();
    final Map<Long, PilotJob> byToken = new HashMap<>();
    private final NamedTasks namedTasks = new NamedTasks();
    final SubmissionFailures submissionFailures = new SubmissionFailures();
    final Margins margins = new Margins();
    final NodeHealth health;

    private final BiFunction<Workflow, Resources, int[]> ranking;
    private final Resources node;
    final PilotJobSizes sizes;
    private final int cap;
    /** Whether memory or named resources are counted, so that a node may be too small for a task. */
    final boolean countsMore;

    Workflow workflow;
    private boolean hasUnknownTimes;
    TaskProgress progress;
    Binding binding;

    @Nullable
    WorkflowTurns turns;

    long now;
    long nextToken = 1;
    /** Whether an event has happened since the last decision. */
    boolean changed = true;

    /** Empty in a fork: simulated tasks wait for no files. */
    final FileLocations places = new FileLocations();

    boolean cancelled;
    /** Whether tasks may still be added. */
    boolean open;
    /** Whether more tasks are expected soon; never in a fork. */
    boolean awaited;
    /** What a program expects to submit; never in a fork. */
    List<ExpectedTasks> expected = List.of();

    int expiries;
    int reruns;
    int failures;

    ManagedRun(Workflow workflow, BiFunction<Workflow, Resources, int[]> ranking, int nodes, int cap, Rules rules) {
        this.workflow = workflow;
        hasUnknownTimes = workflow.tasksWithoutTime() > 0;
        this.ranking = ranking;
        node = rules.node();
        this.cap = cap;
        this.rules = rules;
        sizes = new PilotJobSizes(this, nodes);
        health = new NodeHealth(sizes.allowedNodes);
        countsMore = node.countsMemory() || node.named().size() > 0 || sizes.pools.areUnequal();
        progress = new TaskProgress(workflow, ranking.apply(workflow, node), null, rules);
        binding = newBinding();
        sizes.update();
    }

    private Binding newBinding() {
        PrefetchedTasks prefetched =
                new PrefetchedTasks(rules.brief, rules.node().countsMemory());
        return new Binding(this, prefetched, new RunLimits(rules.perRun));
    }

    /**
     * Makes the workflows of this run take turns, instead of ordering all tasks by rank. Call before the first event.
     *
     * @param shares the weight of each owner's share; 1 by default
     */
    public void shareBetweenWorkflows(PoolPolicy policy, Map<String, Double> shares) {
        turns = new WorkflowTurns(policy, shares);
        if (workflow.size() > 0) {
            turns.add(0, workflow, new Origin("", "", 0, ""));
        }
        progress = new TaskProgress(workflow, ranking.apply(workflow, node), turns, rules);
        binding = newBinding();
        sizes.update();
    }

    void add(Addition added) {
        if (turns != null) {
            turns.add(workflow.size(), added.tasks(), added.origin());
        }
        grow(workflow.plus(added));
    }

    /** A copy of the state of a run. */
    ManagedRun(ManagedRun source) {
        workflow = source.workflow;
        hasUnknownTimes = source.hasUnknownTimes;
        ranking = source.ranking;
        node = source.node;
        cap = source.cap;
        countsMore = source.countsMore;
        rules = source.rules;
        sizes = new PilotJobSizes(this, source.sizes);
        // Simulated nodes have no names: a copy observes nothing, and its nodes stay avoided.
        health = new NodeHealth(source.nodes());
        progress = source.progress.fork();
        Map<PilotJob, PilotJob> copies = new HashMap<>();
        for (PilotJob p : source.pilotJobs) {
            PilotJob copy = p.fork();
            copies.put(p, copy);
            enter(copy);
        }
        binding = source.binding.fork(copies, this);
        submissionFailures.restore(source.submissionFailures.checkpoint());
        margins.copyFrom(source.margins);
        now = source.now;
        nextToken = source.nextToken;
        changed = source.changed;
        cancelled = source.cancelled;
        open = source.open;
        expiries = source.expiries;
        reruns = source.reruns;
        failures = source.failures;
    }

    void grow(Workflow larger) {
        progress = new TaskProgress(progress, larger, ranking.apply(larger, node));
        workflow = larger;
        hasUnknownTimes = larger.tasksWithoutTime() > 0;
        binding = binding.grown(this);
        sizes.update();
        for (PilotJob p : pilotJobs) {
            p.claimed = progress.ready.positions(p.claim.tasks());
            if (p.isQueued()) {
                p.needed(now);
            }
        }
        changed = true;
    }

    /** Changes the times of tasks, which may change their ranks. */
    void retime(RunTimeUpdate times) {
        grow(times.of(workflow));
        margins.learn(times);
    }

    /** Adds a pilot job that is about to be submitted. */
    PilotJob enter(Request request, Claim claim) {
        PilotJob p = new PilotJob(nextToken++, request, claim, now);
        p.claimed = progress.ready.positions(claim.tasks());
        p.count(rules.node().named());
        enter(p);
        return p;
    }

    /** Adds a pilot job that is in the batch system, or about to be submitted. */
    final void enter(PilotJob p) {
        pilotJobs.add(p);
        byToken.put(p.token, p);
        namedTasks.add(p.claim.tasks());
    }

    /** Removes an ended pilot job. */
    void leave(PilotJob p) {
        byToken.remove(p.token);
        pilotJobs.remove(p);
        namedTasks.remove(p.claim.tasks());
        changed = true;
    }

    /**
     * Whether the run needs no more decisions: all tasks are final and none can be added, or the run has failed or was cancelled. Pilot jobs may
     * still have to end.
     */
    public boolean isFinished() {
        return (progress.levels.unfinished() == 0 && !open) || cancelled || (failures > 0 && !rules.keepGoing);
    }

    /** Whether all present tasks are done, failed or skipped, although more may be added. */
    public boolean isDone() {
        return progress.levels.unfinished() == 0;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    /** Whether a task is held or depends on a held task, and is neither final nor running. */
    public boolean isHeld(int task) {
        return progress.isHeld(task);
    }

    /** Whether a task has failed permanently. */
    public boolean isFailed() {
        return failures > 0;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /** The reason why the run is paused until {@link Event.Resumed}; null if it is not paused. */
    public @Nullable String paused() {
        return submissionFailures.paused();
    }

    /** The nodes that new pilot jobs exclude, in order of name. */
    public List<AvoidedNode> avoided() {
        return health.excluded();
    }

    /** How long the inputs of the next tasks would be on their way to a node pool, in milliseconds; 0 where they are there. */
    public long copying(int pool) {
        return places.isEmpty() ? 0 : places.next(this, pool);
    }

    /** The hosts of connected nodes. */
    Set<String> hostsUp() {
        Set<String> up = new HashSet<>();
        for (PilotJob p : pilotJobs) {
            for (int node = 0; p.isRunning() && node < p.freeCores.length; node++) {
                String host = p.host(node);
                if (host != null && p.isUp(node)) {
                    up.add(host);
                }
            }
        }
        return up;
    }

    /** The number of attempts that were cut off, lost or failed and then repeated. */
    public int reruns() {
        return reruns;
    }

    public TaskState state(int task) {
        return progress.state(task);
    }

    /** Whether a task is done, failed or skipped. */
    public boolean isFinal(int task) {
        return progress.isFinal(task);
    }

    /** The number of failures of a task that count as retries. */
    public int failures(int task) {
        return progress.failures(task);
    }

    public int attempts(int task) {
        return progress.attempts(task);
    }

    /** The committed attempt of a task; 0 if none has succeeded. Once set it never changes. */
    public int committed(int task) {
        return progress.committed(task);
    }

    // --- View ---

    @Override
    public long now() {
        return now;
    }

    @Override
    public Workflow workflow() {
        return workflow;
    }

    @Override
    public int nodes() {
        return sizes.nodes();
    }

    @Override
    public Resources node(int pool) {
        return sizes.node(pool);
    }

    @Override
    public Pools pools() {
        return sizes.pools();
    }

    @Override
    public int unavailablePools() {
        return sizes.unavailable();
    }

    /** The number of pilot jobs in the batch system by pool number. */
    int[] jobsByPool() {
        int[] jobs = new int[rules.pools().count() + 1];
        for (PilotJob p : pilotJobs) {
            jobs[p.request.pool()]++;
        }
        return jobs;
    }

    @Override
    public long walltime() {
        return rules.walltime();
    }

    /** The limits of a pilot job. */
    public JobLimits limits() {
        return sizes.limits();
    }

    @Override
    public long longestRoom() {
        return progress.needs.longest;
    }

    @Override
    public boolean limitsNodeTime() {
        return sizes.limitsNodeTime;
    }

    @Override
    public long walltime(int width) {
        return sizes.walltime(width);
    }

    @Override
    public int coresPerNode() {
        return node.cores();
    }

    @Override
    public Resources node() {
        return node;
    }

    @Override
    public Resources needs(int task) {
        RunningAttempt attempt = binding.running(task);
        return attempt == null ? progress.needs.of(task) : attempt.needs;
    }

    @Override
    public int cap() {
        return cap;
    }

    @Override
    public List<PilotJob> jobs() {
        return Collections.unmodifiableList(pilotJobs);
    }

    @Override
    public boolean isNamed(int task) {
        return namedTasks.contains(task);
    }

    @Override
    public boolean isDone(int task) {
        return progress.isFinal(task) || progress.isHeld(task);
    }

    @Override
    public boolean isReady(int task) {
        return progress.ready.contains(task);
    }

    @Override
    public int nextReady(int task) {
        return progress.ready.nextTask(task);
    }

    @Override
    public boolean isRunning(int task) {
        return progress.isRunning(task);
    }

    @Override
    public int nextRunning(int task) {
        return progress.nextRunning(task);
    }

    @Override
    public long startedAt(int task) {
        RunningAttempt attempt = binding.running(task);
        return attempt == null ? -1 : attempt.startedAt;
    }

    @Override
    public long room(int task) {
        return progress.needs.room(task);
    }

    @Override
    public int runTimeError() {
        return progress.needs.runTimeError;
    }

    @Override
    public boolean hasUncertainTimes() {
        return hasUnknownTimes || !margins.isEmpty();
    }

    @Override
    public int walltimeMargin() {
        return margins.percent(this);
    }

    @Override
    public long atLeast(int task) {
        return progress.needs.timeouts.atLeast(task);
    }

    @Override
    public long runsIn(int task) {
        RunningAttempt attempt = binding.running(task);
        return attempt == null ? -1 : attempt.in.token;
    }

    @Override
    public boolean isAwaited() {
        return awaited && open;
    }

    @Override
    public List<ExpectedTasks> expected() {
        return open ? expected : List.of();
    }

    @Override
    public boolean isAmple() {
        return rules.ample;
    }

    @Override
    public int unfinished(int level) {
        return progress.levels.unfinished(level);
    }

    @Override
    public int firstUnfinishedLevel() {
        return progress.levels.first;
    }

    @Override
    public int expiries() {
        return expiries;
    }
}
