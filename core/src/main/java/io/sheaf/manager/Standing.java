package io.sheaf.manager;

import io.sheaf.planner.PoolPolicy;
import io.sheaf.predict.Retiming;
import io.sheaf.workflow.Addition;
import io.sheaf.workflow.Origin;
import io.sheaf.workflow.Workflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a run stands: its workflow, how far each task is, and our pilot jobs. Strategies see it as {@link View}. */
abstract sealed class Standing implements View permits Manager {
    final Rules rules;
    final List<PilotJob> pilotJobs = new ArrayList<>();
    final Map<Long, PilotJob> byToken = new HashMap<>();
    private final SingledOut singledOut = new SingledOut();
    final Troubles troubles = new Troubles();
    final Margins margins = new Margins();

    private final Ranking ranking;
    private final int nodes;
    private final int coresPerNode;
    private final int cap;

    Workflow workflow;
    Progress progress;
    Binding binding;

    @Nullable
    Turns turns;

    long now;
    long nextToken = 1;
    /** Whether anything has happened since the strategy was asked. */
    boolean changed = true;

    boolean cancelled;
    /** Whether tasks may still be added. */
    boolean open;
    /** Whether more are likely to come soon; a copy, played on in thought, knows of none. */
    boolean awaited;

    int expiries;
    int reruns;
    int failures;

    Standing(Workflow workflow, Ranking ranking, int nodes, int coresPerNode, int cap, Rules rules) {
        this.workflow = workflow;
        this.ranking = ranking;
        this.nodes = nodes;
        this.coresPerNode = coresPerNode;
        this.cap = cap;
        this.rules = rules;
        progress = new Progress(workflow, ranking, null, rules.ample());
        binding = new Binding(workflow, progress, null, new BoundAhead(rules.brief()));
    }

    /**
     * Makes the workflows of this run take turns, instead of going by the ranks of all tasks; before the first event.
     *
     * @param shares what owners' shares count beside those of others; 1 where nothing is said
     */
    public void takeTurns(PoolPolicy policy, Map<String, Double> shares) {
        turns = new Turns(policy, shares);
        if (workflow.size() > 0) {
            turns.add(0, workflow, new Origin("", "", 0, ""));
        }
        progress = new Progress(workflow, ranking, turns, rules.ample());
        binding = new Binding(workflow, progress, turns, new BoundAhead(rules.brief()));
    }

    /** More tasks come. */
    void add(Addition added) {
        if (turns != null) {
            turns.add(workflow.size(), added.tasks(), added.origin());
        }
        grow(workflow.plus(added));
    }

    /** A copy of how a run stands. */
    Standing(Standing of) {
        workflow = of.workflow;
        ranking = of.ranking;
        nodes = of.nodes;
        coresPerNode = of.coresPerNode;
        cap = of.cap;
        rules = of.rules;
        progress = of.progress.fork();
        Map<PilotJob, PilotJob> copies = new HashMap<>();
        for (PilotJob p : of.pilotJobs) {
            PilotJob copy = p.fork();
            copies.put(p, copy);
            enter(copy);
        }
        binding = of.binding.fork(progress, copies);
        troubles.take(of.troubles);
        margins.take(of.margins);
        now = of.now;
        nextToken = of.nextToken;
        changed = of.changed;
        cancelled = of.cancelled;
        open = of.open;
        expiries = of.expiries;
        reruns = of.reruns;
        failures = of.failures;
    }

    void grow(Workflow larger) {
        progress = new Progress(progress, larger, ranking);
        binding = new Binding(binding, larger, progress);
        workflow = larger;
        for (PilotJob p : pilotJobs) {
            p.claimed = progress.ready().positions(p.claim.tasks());
            if (p.isQueued()) {
                p.needed(now);
            }
        }
        changed = true;
    }

    /** The same tasks with other times; which goes first among them may change with that. */
    void retime(Retiming times) {
        grow(times.of(workflow));
        margins.learn(times);
    }

    /** A pilot job that is to be submitted. */
    PilotJob enter(Request request, Claim claim) {
        PilotJob p = new PilotJob(nextToken++, request, claim, now);
        p.claimed = progress.ready().positions(claim.tasks());
        enter(p);
        return p;
    }

    /** A pilot job is in the batch system, or about to be. */
    final void enter(PilotJob p) {
        pilotJobs.add(p);
        byToken.put(p.token, p);
        singledOut.add(p.claim.tasks());
    }

    /** A pilot job is over. */
    void leave(PilotJob p) {
        byToken.remove(p.token);
        pilotJobs.remove(p);
        singledOut.remove(p.claim.tasks());
        changed = true;
    }

    /**
     * Whether nothing more will be decided: all tasks are done, failed or skipped and none can be added, or the run has failed or been cancelled.
     * Pilot jobs may still have to end.
     */
    public boolean isOver() {
        return (progress.levels().unfinished() == 0 && !open) || cancelled || (failures > 0 && !rules.keepGoing());
    }

    /** Whether all tasks that there are are done, failed or skipped. */
    public boolean isDone() {
        return progress.levels().unfinished() == 0;
    }

    /** Whether tasks may still be added. */
    @Override
    public boolean isOpen() {
        return open;
    }

    /** Whether a task is held back, or comes after one that is: it is not over, does not run, and shall not. */
    public boolean isHeld(int task) {
        return progress.isHeld(task);
    }

    /** Whether a task has failed for good. */
    public boolean isFailed() {
        return failures > 0;
    }

    public boolean isCancelled() {
        return cancelled;
    }

    /** Why nothing more is submitted until {@link Event.Resumed}, or null. */
    public @Nullable String paused() {
        return troubles.paused();
    }

    /** How many attempts were cut off, lost or failed and had to be made again. */
    public int reruns() {
        return reruns;
    }

    public TaskState state(int task) {
        return progress.state(task);
    }

    /** Whether nothing more will become of a task: it is done, failed or skipped. */
    public boolean isFinal(int task) {
        return progress.isFinal(task);
    }

    /** How many attempts of a task were started. */
    public int attempts(int task) {
        return progress.attempts(task);
    }

    /** The attempt of a task that counts; 0 if none has succeeded. Once told it never changes. */
    public int committed(int task) {
        return progress.committed(task);
    }

    // --- what strategies see ---

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
        return nodes;
    }

    @Override
    public int coresPerNode() {
        return coresPerNode;
    }

    @Override
    public int cap() {
        return cap;
    }

    @Override
    public int pilotJobs() {
        return pilotJobs.size();
    }

    @Override
    public PilotJob pilotJob(int index) {
        return pilotJobs.get(index);
    }

    @Override
    public boolean isSingledOut(int task) {
        return singledOut.contains(task);
    }

    @Override
    public boolean isDone(int task) {
        return progress.isFinal(task) || progress.isHeld(task);
    }

    @Override
    public boolean isReady(int task) {
        return progress.ready().contains(task);
    }

    @Override
    public int nextReady(int task) {
        return progress.ready().nextTask(task);
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
        Attempt attempt = binding.running(task);
        return attempt == null ? -1 : attempt.startedAt;
    }

    @Override
    public long room(int task) {
        return progress.room(task);
    }

    @Override
    public int timesOff() {
        return progress.timesOff().percent();
    }

    @Override
    public long atLeast(int task) {
        return progress.cutOffs().atLeast(task);
    }

    @Override
    public long runsIn(int task) {
        Attempt attempt = binding.running(task);
        return attempt == null ? -1 : attempt.in.token;
    }

    /** Whether all tasks are over, though more may come. */
    public boolean isIdle() {
        return progress.levels().unfinished() == 0;
    }

    @Override
    public boolean isAwaited() {
        return awaited && open;
    }

    @Override
    public boolean isAmple() {
        return rules.ample();
    }

    @Override
    public int unfinished(int level) {
        return progress.levels().unfinished(level);
    }

    @Override
    public int firstUnfinishedLevel() {
        return progress.levels().first();
    }

    @Override
    public int expiries() {
        return expiries;
    }
}
