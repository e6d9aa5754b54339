package io.sheaf.manager;

import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Late binding: assigns attempts of tasks to nodes and selects the next task for a free core.
 *
 * <p>A task is bound when a started pilot job has a free core for it. The manager selects the ready task of the lowest rank among those that the
 * pilot job claims. If the claim requires it, the task must end before the walltime. The strategy is not called. Short tasks may be bound earlier
 * ({@link PrefetchedTasks}). Tasks of a level whose inputs are nearer to another site come last, or wait for it ({@link NearerSites}).
 */
final class Binding {
    private final Workflow workflow;
    private final TaskProgress progress;
    private final @Nullable WorkflowTurns turns;
    final PrefetchedTasks ahead;
    private final RunLimits limits;
    private final NodeHealth health;
    private final List<PilotJob> jobs;
    private final @Nullable RunningAttempt[] running;
    /** The choice of cores in the pilot job that is filled; null if it starts tasks on their declared cores. */
    private @Nullable CoreChoice choice;
    /** Other sites with inputs of tasks, while a pilot job is filled; null if all share a file system. */
    private @Nullable NearerSites nearer;

    private long patientUntil = Decision.NEVER;
    final ClaimedWork work;

    /** Without attempts; reads the other parts of a run, which must be there. */
    Binding(ManagedRun run, PrefetchedTasks ahead, RunLimits limits) {
        this.limits = limits;
        this.ahead = ahead;
        health = run.health;
        jobs = run.pilotJobs;
        turns = run.turns;
        workflow = run.workflow;
        progress = run.progress;
        running = new RunningAttempt[workflow.size()];
        work = new ClaimedWork(workflow, progress);
    }

    /** The same attempts in a run whose workflow has grown. */
    Binding grown(ManagedRun run) {
        Binding grown = new Binding(run, ahead, limits);
        System.arraycopy(running, 0, grown.running, 0, running.length);
        return grown;
    }

    /** The same attempts in a copy of the run and copies of their pilot jobs. */
    Binding fork(Map<PilotJob, PilotJob> copies, ManagedRun copy) {
        Binding fork = new Binding(copy, PrefetchedTasks.none(), limits.fork());
        for (int task = 0; task < running.length; task++) {
            RunningAttempt attempt = running[task];
            if (attempt != null) {
                PilotJob in = copies.computeIfAbsent(attempt.in, PilotJob::fork);
                fork.running[task] = attempt.fork(in);
            }
        }
        ahead.tasks().forEach(task -> fork.ahead.add(task, fork.running[task]));
        return fork;
    }

    /** Restores a running or waiting attempt from a checkpoint. */
    void restore(Checkpoint.Running saved, PilotJob in) {
        int[] nodes = saved.nodes().stream().mapToInt(Integer::intValue).toArray();
        Resources declared = progress.needs.of(saved.task());
        Resources needs =
                saved.cores() == 0 ? declared : declared.cores(saved.cores()).nodes(nodes.length);
        RunningAttempt attempt = new RunningAttempt(
                in,
                saved.number(),
                nodes,
                saved.core(),
                saved.startedAt(),
                ahead.isBrief(workflow, saved.task()),
                needs);
        attempt.recalled = saved.recalled();
        running[saved.task()] = attempt;
        in.runningTasks++;
        if (saved.ahead()) {
            ahead.add(saved.task(), attempt);
            return;
        }
        limits.allocate(needs);
        if (saved.core() != SharedCores.NONE) {
            in.shared.add(
                    nodes[0], saved.core(), workflow.resources(saved.task()).share());
        }
        for (int node : nodes) {
            in.briefOn[node] += attempt.brief ? 1 : 0;
        }
    }

    /** The running attempt of a task, or null. */
    @Nullable
    RunningAttempt running(int task) {
        return task >= 0 && task < running.length ? running[task] : null;
    }

    /** Frees the cores of an attempt that has ended. */
    void releaseCores(int task, RunningAttempt attempt) {
        running[task] = null;
        attempt.in.runningTasks--;
        if (attempt.ahead) {
            ahead.remove(task, attempt);
            return;
        }
        Resources needed = attempt.needs;
        limits.free(needed);
        for (int node : attempt.nodes) {
            attempt.in.free(node, attempt.core, needed);
            attempt.in.briefOn[node] -= attempt.brief ? 1 : 0;
            fillNode(attempt.in, node);
        }
    }

    /** Assigns free cores of a node to the tasks that wait there. */
    private void fillNode(PilotJob p, int node) {
        for (int task = ahead.first(p, node); task >= 0; task = ahead.first(p, node)) {
            RunningAttempt next = running[task];
            if (next == null || !p.has(node, workflow.resources(task))) {
                return;
            }
            ahead.remove(task, next);
            p.allocate(node, workflow.resources(task));
            p.briefOn[node]++;
        }
    }

    /** The next task after this one that runs in a pilot job, on any node or on the given one; −1 if there is none. */
    int nextIn(PilotJob p, int node, int after) {
        for (int task = after + 1; p.runningTasks > 0 && task < running.length; task++) {
            RunningAttempt attempt = running[task];
            if (attempt != null && attempt.in == p && (node < 0 || attempt.isOn(node))) {
                return task;
            }
        }
        return -1;
    }

    /** Starts tasks in a pilot job of a run while one fits, tasks of level {@code levelFirst} first. */
    void fill(PilotJob p, ManagedRun run, int levelFirst, Effects out) {
        long now = run.now;
        if (!p.isRunning() || p.closing || p.draining || now >= p.limit()) {
            return;
        }
        Molding molding = p.claim.choosesCores() ? progress.molding : null;
        choice = molding == null ? null : new CoreChoice(molding, run, p);
        nearer = run.places.isEmpty() ? null : NearerSites.of(run, p);
        while (p.hasRoom()) {
            int task = next(p, levelFirst, now);
            if (task < 0) {
                break;
            }
            bind(p, task, now, out);
        }
        patientUntil = choice == null || !p.hasRoom() ? patientUntil : Math.min(patientUntil, choice.until());
        patientUntil = nearer == null || !p.hasRoom() ? patientUntil : Math.min(patientUntil, nearer.until);
        if (ahead.isOn() && turns == null) {
            bindAhead(p, now, out);
        }
    }

    /** Prefetches short tasks to nodes that run short tasks. */
    private void bindAhead(PilotJob p, long now, Effects out) {
        for (int node = ahead.node(p, 0); node >= 0; node = ahead.node(p, node)) {
            int task = firstInRank(p);
            if (task < 0
                    || health.hasOpen(task)
                    || (nearer != null && nearer.gain(task) > 0)
                    || !ahead.isBrief(workflow, task)
                    || !ahead.isInTime(p, now + workflow.timeMillis(task))) {
                return;
            }
            RunningAttempt attempt =
                    begin(p, new int[] {node}, SharedCores.NONE, progress.needs.of(task), task, now, out);
            ahead.add(task, attempt);
        }
    }

    /** The claimed ready task of the lowest rank, whether it fits or not; −1 if there is none. */
    private int firstInRank(PilotJob p) {
        ReadyTasks ready = progress.ready;
        int first = -1;
        int last = Math.min(p.claim.lastLevel(), workflow.levels() - 1);
        for (int level = p.claim.firstLevel(); level <= last; level++) {
            int at = ready.inLevel(level) == 0 ? -1 : ready.next(level, ready.before(level), p.claimed);
            if (at >= 0 && (first < 0 || ready.rank(ready.taskAt(at)) < ready.rank(first))) {
                first = ready.taskAt(at);
            }
        }
        return first;
    }

    /** When to start tasks on fewer cores that wait for nodes to come up; {@link Decision#NEVER} if none does. */
    long patientUntil(long now) {
        patientUntil = patientUntil <= now ? Decision.NEVER : patientUntil;
        return patientUntil;
    }

    /** If workflows take turns, they select the task, unless the pilot job claims named tasks only. */
    private int next(PilotJob p, int levelFirst, long now) {
        if (turns != null && p.claim.tasks().isAll()) {
            int turn = turns.next(task -> p.claim.hasLevel(workflow.level(task))
                    && (isChosen(task) ? chosen(p, task) != null : isInTime(p, task, now) && fits(p, task)));
            return turn == WorkflowTurns.UNDECIDED ? best(p, now) : turn;
        }
        int task = levelFirst >= 0 ? bestOfLevel(p, levelFirst, now) : -1;
        return task >= 0 ? task : best(p, now);
    }

    /** Whether a pilot job could run a task that begins at an instant. */
    boolean couldRun(PilotJob p, int task, long at) {
        return p.claim.has(task, workflow.level(task))
                && isInTime(p, task, at)
                && work.fewest(p.claim, task).nodes() <= p.nodesLeft();
    }

    private boolean isInTime(PilotJob p, int task, long now) {
        return !p.claim.onlyIfFits() || now + progress.needs.room(task) <= p.limit();
    }

    private int best(PilotJob p, long now) {
        int best = -1;
        int last = Math.min(p.claim.lastLevel(), workflow.levels() - 1);
        for (int level = p.claim.firstLevel(); level <= last; level++) {
            int task = bestOfLevel(p, level, now);
            if (task >= 0 && (best < 0 || progress.ready.rank(task) < progress.ready.rank(best))) {
                best = task;
            }
        }
        return best;
    }

    private int bestOfLevel(PilotJob p, int level, long now) {
        Claim claim = p.claim;
        if (!claim.hasLevel(level) || progress.ready.inLevel(level) == 0) {
            return -1;
        }
        ReadyTasks ready = progress.ready;
        int at = ready.before(level);
        int remote = -1;
        Resources failed = null;
        while ((at = ready.next(level, at, p.claimed)) >= 0) {
            int task = ready.taskAt(at);
            if (isChosen(task)) {
                if (chosen(p, task) != null) {
                    return task;
                }
            } else if (isInTime(p, task, now + (nearer == null ? 0 : nearer.transfer(task)))) {
                Resources needed = progress.needs.of(task);
                if (failed != null && failed.isWithin(needed)) {
                    // A task that needs no more of anything does not fit either.
                    continue;
                }
                if (fits(p, task)) {
                    if (nearer == null || nearer.gain(task) == 0) {
                        return task;
                    }
                    // Unless it waits for the other site, it runs here if no other task does.
                    remote = remote < 0 && !nearer.shouldWait(task) ? task : remote;
                    continue;
                }
                failed = hasOpenFailure(task) ? failed : needed;
            }
        }
        return remote;
    }

    /** Whether the cores of a task are chosen when it is started in the pilot job that is filled. */
    private boolean isChosen(int task) {
        return choice != null && choice.isFor(task);
    }

    /** The resources on which a moldable task starts now; null if it waits. */
    private @Nullable Resources chosen(PilotJob p, int task) {
        return choice == null ? null : choice.of(task, needed -> fits(p, task, needed));
    }

    /** Whether enough nodes have the free cores and GPUs that the task needs. */
    private boolean fits(PilotJob p, int task) {
        return fits(p, task, progress.needs.of(task));
    }

    private boolean fits(PilotJob p, int task, Resources needed) {
        if (!limits.has(needed)) {
            return false;
        }
        if (needed.cores() * (long) needed.nodes() > p.freeTotal && !(needed.isShare() && p.hasRoom())) {
            return false;
        }
        return (hasOpenFailure(task) && needed.nodes() == 1)
                ? nodeElsewhere(p, task, needed) >= 0
                : hasNodes(p, needed);
    }

    /** Whether a task of one node failed on a node, and whose fault it was is not decided. */
    private boolean hasOpenFailure(int task) {
        return health.hasOpen(task) && progress.needs.of(task).nodes() == 1;
    }

    /** The first node for a task that avoids nodes on which it failed, as long as another node can take it; −1 if there is none. */
    private int nodeElsewhere(PilotJob p, int task, Resources needed) {
        boolean choice = canRunElsewhere(task);
        for (int node = 0; node < p.freeCores.length; node++) {
            if (p.has(node, needed) && !(choice && health.hasOpen(p.host(node), task))) {
                return node;
            }
        }
        return -1;
    }

    /** Whether the run has a node on which a task did not fail. Its pilot job may have to be replaced if it claims other tasks only. */
    private boolean canRunElsewhere(int task) {
        for (PilotJob p : jobs) {
            for (int node = 0; p.isRunning() && node < p.freeCores.length; node++) {
                if (p.takesTasks(node) && p.host(node) != null && !health.hasOpen(p.host(node), task)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a task failed on all nodes of a pilot job, and another node can take it. */
    private boolean avoids(PilotJob p, int task) {
        if (!hasOpenFailure(task) || !canRunElsewhere(task)) {
            return false;
        }
        for (int node = 0; node < p.freeCores.length; node++) {
            if (p.takesTasks(node) && !health.hasOpen(p.host(node), task)) {
                return false;
            }
        }
        return true;
    }

    static boolean hasNodes(PilotJob p, Resources needed) {
        int found = 0;
        for (int node = 0; node < p.freeCores.length && found < needed.nodes(); node++) {
            found += p.has(node, needed) ? 1 : 0;
        }
        return found == needed.nodes();
    }

    /** Starts a task that fits, on the first nodes with enough free cores and GPUs. */
    private void bind(PilotJob p, int task, long now, Effects out) {
        Resources chosen = isChosen(task) ? chosen(p, task) : null;
        Resources needed = chosen == null ? progress.needs.of(task) : chosen;
        limits.allocate(needed);
        int[] taskNodes = new int[needed.nodes()];
        int found = 0;
        int core = SharedCores.NONE;
        int first = hasOpenFailure(task) ? nodeElsewhere(p, task, needed) : 0;
        for (int node = first; found < taskNodes.length; node++) {
            if (p.has(node, needed)) {
                core = p.allocate(node, needed);
                taskNodes[found++] = node;
            }
        }
        RunningAttempt attempt = begin(p, taskNodes, core, needed, task, now, out);
        if (choice != null) {
            choice.started(task, attempt);
        }
        for (int node : taskNodes) {
            p.briefOn[node] += attempt.brief ? 1 : 0;
        }
    }

    private RunningAttempt begin(
            PilotJob p, int[] taskNodes, int core, Resources needs, int task, long now, Effects out) {
        int number = progress.startAttempt(task);
        p.runningTasks++;
        p.needed(now);
        RunningAttempt attempt =
                new RunningAttempt(p, number, taskNodes, core, now, ahead.isBrief(workflow, task), needs);
        running[task] = attempt;
        reportStart(task, attempt, out);
        return attempt;
    }

    private void reportStart(int task, RunningAttempt attempt, Effects out) {
        if (!attempt.isOn(workflow.resources(task))) {
            out.start(attempt.in.token, attempt.nodes, attempt.needs, task, attempt.number);
        } else if (attempt.core == SharedCores.NONE) {
            out.start(attempt.in.token, attempt.nodes, task, attempt.number);
        } else {
            out.share(attempt.in.token, attempt.nodes[0], attempt.core, task, attempt.number);
        }
    }

    /** Whether the remaining nodes of a pilot job suffice for a claimed unfinished task. */
    boolean isEnough(PilotJob p) {
        Claim claim = p.claim;
        int last = Math.min(claim.lastLevel(), workflow.levels() - 1);
        for (int level = claim.firstLevel(); level <= last; level++) {
            for (int i = 0; i < workflow.width(level); i++) {
                int task = workflow.taskOfLevel(level, i);
                boolean unfinished = claim.tasks().contains(task) && !progress.isFinal(task);
                if (unfinished && work.fewest(p.claim, task).nodes() <= p.nodesLeft() && !avoids(p, task)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Repeats the start commands of running attempts. */
    void repeat(Effects out) {
        for (int task = 0; task < running.length; task++) {
            RunningAttempt attempt = running[task];
            if (attempt != null && progress.isFinal(task)) {
                out.stop(attempt.in.token, task, attempt.number);
            } else if (attempt != null) {
                reportStart(task, attempt, out);
                if (attempt.recalled) {
                    out.stop(attempt.in.token, task, attempt.number);
                }
            }
        }
    }
}
