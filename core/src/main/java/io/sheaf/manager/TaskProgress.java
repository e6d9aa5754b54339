package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The states of the tasks of a workflow.
 *
 * <p>Held tasks and tasks that depend on them count neither as {@linkplain ReadyTasks ready} nor as unfinished, unless they run. So no listed
 * unfinished task waits for an unlisted one.
 */
final class TaskProgress {
    /** State 0 means that a parent is not done; the numbers are those of {@link TaskState}. */
    private static final byte READY = 1;

    private static final byte RUNNING = 2;
    private static final byte DONE = 3;
    private static final byte FAILED = 4;
    private static final byte SKIPPED = 5;

    private static final TaskState[] STATES = TaskState.values();

    private final Workflow workflow;
    private final @Nullable WorkflowTurns turns;
    private final byte[] state;
    private final int[] missing;
    private final int[] attempts;
    private final int[] failures;
    private final int[] committed;
    final TaskNeeds needs;
    /** The number of attempts that were preempted, where there were any. */
    private final Map<Integer, Integer> preempted = new TreeMap<>();

    /** The choices of cores; null if no task is moldable. */
    final @Nullable Molding molding;
    /** Core-milliseconds of the unfinished tasks, if tasks are moldable. */
    long remainingWork;

    final ReadyTasks ready;
    /** Tasks that the user holds, whatever their state. */
    private final BitSet held;

    /** Tasks that are held, or depend on a held task. */
    private final BitSet heldBack = new BitSet();

    private final BitSet running = new BitSet();

    /** The unfinished tasks per level. */
    final LevelCounts levels;

    TaskProgress(Workflow workflow, int[] ranks, @Nullable WorkflowTurns turns, Rules rules) {
        this(workflow, ranks, turns, new TaskNeeds(workflow, rules));
        begin(0);
    }

    /** The same progress in a workflow that has grown. */
    TaskProgress(TaskProgress before, Workflow larger, int[] ranks) {
        this(larger, ranks, before.turns, new TaskNeeds(before.needs, larger));
        System.arraycopy(before.state, 0, state, 0, before.state.length);
        System.arraycopy(before.attempts, 0, attempts, 0, before.attempts.length);
        System.arraycopy(before.failures, 0, failures, 0, before.failures.length);
        System.arraycopy(before.committed, 0, committed, 0, before.committed.length);
        held.or(before.held);
        preempted.putAll(before.preempted);
        System.arraycopy(before.missing, 0, missing, 0, before.missing.length);
        for (int task = 0; task < before.state.length; task++) {
            count(task);
            remainingWork -= isFinal(task) && molding != null ? molding.work(task) : 0;
        }
        begin(before.state.length);
        holdBack();
    }

    /** A copy without turns of workflows; it shares the order of the tasks. */
    private TaskProgress(TaskProgress source) {
        workflow = source.workflow;
        turns = null;
        state = source.state.clone();
        missing = source.missing.clone();
        attempts = source.attempts.clone();
        failures = source.failures.clone();
        committed = source.committed.clone();
        preempted.putAll(source.preempted);
        needs = new TaskNeeds(source.needs, workflow);
        molding = source.molding;
        remainingWork = source.remainingWork;
        ready = source.ready.fork();
        held = (BitSet) source.held.clone();
        heldBack.or(source.heldBack);
        running.or(source.running);
        levels = new LevelCounts(source.levels);
    }

    TaskProgress fork() {
        return new TaskProgress(this);
    }

    private TaskProgress(Workflow workflow, int[] ranks, @Nullable WorkflowTurns turns, TaskNeeds needs) {
        this.workflow = workflow;
        this.turns = turns;
        this.needs = needs;
        state = new byte[workflow.size()];
        attempts = new int[workflow.size()];
        failures = new int[workflow.size()];
        committed = new int[workflow.size()];
        held = new BitSet();
        levels = new LevelCounts(workflow.levels());
        molding = Molding.of(workflow);
        ready = new ReadyTasks(workflow, ranks, turns);
        remainingWork = molding == null ? 0 : molding.allWork();
        missing = new int[workflow.size()];
    }

    Checkpoint.Task checkpoint(int task) {
        return new Checkpoint.Task(
                state[task],
                held.get(task),
                attempts[task],
                failures[task],
                committed[task],
                needs.timeouts.count(task),
                needs.timeouts.after(task),
                needs.kills(task),
                preempted.getOrDefault(task, 0));
    }

    void restore(Checkpoint checkpoint) {
        for (int task = ready.nextTask(0); task >= 0; task = ready.nextTask(task + 1)) {
            ready.remove(task);
        }
        needs.runTimeError = checkpoint.counts().runTimeError();
        levels.clearUnfinished();
        remainingWork = molding == null ? 0 : molding.allWork();
        for (int task = 0; task < state.length; task++) {
            Checkpoint.Task saved = checkpoint.tasks().get(task);
            state[task] = saved.state();
            held.set(task, saved.held());
            attempts[task] = saved.attempts();
            failures[task] = saved.failures();
            committed[task] = saved.committed();
            needs.restore(task, saved);
            remainingWork -= isFinal(task) && molding != null ? molding.work(task) : 0;
            if (saved.preempted() > 0) {
                preempted.put(task, saved.preempted());
            }
            if (isFinal(task) && turns != null) {
                turns.complete(task);
            }
        }
        Arrays.fill(missing, 0);
        for (int task = 0; task < state.length; task++) {
            for (int i = 0; i < workflow.parents(task); i++) {
                missing[task] += state[workflow.parent(task, i)] == DONE ? 0 : 1;
            }
        }
        checkpoint.ready().forEach(ready::add);
        for (int task = 0; task < state.length; task++) {
            countRestored(task);
        }
        holdBack();
        levels.restart();
    }

    private void countRestored(int task) {
        if (state[task] == READY && ready.contains(task)) {
            // Counted like every ready task; it already has its position among them.
            levels.add(workflow.level(task));
        } else {
            count(task);
        }
    }

    private void count(int task) {
        if (isFinal(task)) {
            return;
        }
        levels.add(workflow.level(task));
        if (state[task] == RUNNING) {
            running.set(task);
            levels.run(workflow.level(task));
        } else if (state[task] == READY) {
            ready.add(task);
        }
    }

    /** Initializes new tasks from this number on: waiting, ready, or skipped because a parent can never be done. */
    private void begin(int first) {
        for (int task = first; task < state.length; task++) {
            levels.add(workflow.level(task));
            for (int i = 0; i < workflow.parents(task); i++) {
                missing[task] += state[workflow.parent(task, i)] == DONE ? 0 : 1;
            }
            if (missing[task] == 0) {
                makeReady(task);
            }
        }
        for (int task = first; task < state.length; task++) {
            for (int i = 0; i < workflow.parents(task) && !isFinal(task); i++) {
                byte parent = state[workflow.parent(task, i)];
                if (parent == FAILED || parent == SKIPPED) {
                    skip(task);
                }
            }
        }
        levels.advance();
    }

    private void makeReady(int task) {
        state[task] = READY;
        if (!heldBack.get(task)) {
            ready.add(task);
        }
    }

    /** Holds or resumes tasks. Running attempts continue. */
    void hold(int first, int behind, boolean value) {
        held.set(first, Math.max(first, behind), value);
        holdBack();
    }

    /** Recomputes the held tasks and their dependents. */
    private void holdBack() {
        if (held.isEmpty() && heldBack.isEmpty()) {
            return;
        }
        for (int i = 0; i < state.length; i++) {
            int task = workflow.inOrder(i);
            boolean value = !isFinal(task) && state[task] != RUNNING && (held.get(task) || isBehindHeld(task));
            if (value != heldBack.get(task)) {
                holdBack(task, value);
            }
        }
        levels.restart();
    }

    private boolean isBehindHeld(int task) {
        for (int i = 0; i < workflow.parents(task); i++) {
            if (heldBack.get(workflow.parent(task, i))) {
                return true;
            }
        }
        return false;
    }

    private void holdBack(int task, boolean value) {
        heldBack.set(task, value);
        levels.hold(workflow.level(task), value);
        if (state[task] == READY && value) {
            ready.remove(task);
        } else if (state[task] == READY) {
            ready.add(task);
        }
    }

    /** Skips a task and its dependents. */
    void skip(int task) {
        leave(task);
        finish(task, SKIPPED);
        skipBehind(task);
    }

    /** Removes an unfinished task from the running, ready and held ones. */
    private void leave(int task) {
        if (heldBack.get(task)) {
            holdBack(task, false);
        }
        if (state[task] == RUNNING) {
            running.clear(task);
            levels.stop(workflow.level(task));
        } else if (state[task] == READY) {
            ready.remove(task);
        }
    }

    /** Starts another attempt of a ready task and returns its number. */
    int startAttempt(int task) {
        if (turns != null) {
            turns.assign(task);
        }
        run(task);
        return ++attempts[task];
    }

    private void run(int task) {
        leave(task);
        running.set(task);
        levels.run(workflow.level(task));
        state[task] = RUNNING;
    }

    /** Commits an attempt of a task, running or not. Its children may become ready. */
    void done(int task, int attempt) {
        boolean wasBack = heldBack.get(task);
        leave(task);
        committed[task] = attempt;
        finish(task, DONE);
        for (int i = 0; i < workflow.children(task); i++) {
            int child = workflow.child(task, i);
            if (--missing[child] == 0 && state[child] == 0) {
                makeReady(child);
            }
        }
        if (wasBack) {
            holdBack();
        }
    }

    /** Marks a running task as permanently failed and skips its dependents. */
    void failed(int task) {
        leave(task);
        finish(task, FAILED);
        skipBehind(task);
    }

    private void skipBehind(int failed) {
        ArrayDeque<Integer> unvisited = new ArrayDeque<>();
        unvisited.add(failed);
        while (!unvisited.isEmpty()) {
            int task = unvisited.remove();
            for (int i = 0; i < workflow.children(task); i++) {
                int child = workflow.child(task, i);
                if (!isFinal(child) && state[child] != RUNNING) {
                    leave(child);
                    finish(child, SKIPPED);
                    unvisited.add(child);
                }
            }
        }
    }

    private void finish(int task, byte end) {
        remainingWork -= molding == null ? 0 : molding.work(task);
        state[task] = end;
        if (turns != null) {
            turns.complete(task);
        }
        levels.finish(workflow.level(task));
    }

    /** Makes a running task that was lost ready again. */
    void lost(int task) {
        leave(task);
        makeReady(task);
        if (held.get(task)) {
            holdBack();
        }
    }

    /** Counts a failure by the task's own fault and returns the number of failures. */
    int failure(int task) {
        return ++failures[task];
    }

    /** The number of failures by the task's own fault. */
    int failures(int task) {
        return failures[task];
    }

    /** Records that the batch system took the nodes of an attempt for another job: it does not count as a loss. */
    void preempted(int task) {
        preempted.merge(task, 1, Integer::sum);
    }

    /** The number of attempts of a task that were cut off or lost without its fault. The task must not be running. */
    int losses(int task) {
        return attempts[task] - failures[task] - preempted.getOrDefault(task, 0);
    }

    /** The maximum number of nodes of an unfinished task. */
    int widest() {
        return IntStream.range(0, state.length)
                .filter(task -> !isFinal(task))
                .map(task -> workflow.resources(task).nodes())
                .max()
                .orElse(1);
    }

    /** Counts attempts up to this number as begun. */
    void begun(int task, int attempt) {
        attempts[task] = Math.max(attempts[task], attempt);
    }

    int attempts(int task) {
        return attempts[task];
    }

    /** Whether a task is held, or depends on a held task. */
    boolean isHeld(int task) {
        return heldBack.get(task);
    }

    boolean isRunning(int task) {
        return state[task] == RUNNING;
    }

    /** The running task with the lowest number ≥ {@code task}; −1 if there is none. */
    int nextRunning(int task) {
        return running.nextSetBit(task);
    }

    /** Whether a task is done, failed or skipped. */
    boolean isFinal(int task) {
        return state[task] >= DONE;
    }

    TaskState state(int task) {
        return STATES[state[task]];
    }

    /** The committed attempt of a task; 0 if there is none. */
    int committed(int task) {
        return committed[task];
    }
}
