package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
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

    private final @Nullable Molding molding;
    /** Core-milliseconds of the unfinished tasks, if tasks are moldable. */
    private long left;

    private final ReadyTasks ready;
    /** Tasks that the user holds, whatever their state. */
    private final BitSet held;

    /** Tasks that are held, or depend on a held task. */
    private final BitSet back = new BitSet();

    private final BitSet running = new BitSet();

    private final LevelCounts levels;

    TaskProgress(Workflow workflow, int[] ranks, @Nullable WorkflowTurns turns, Rules rules) {
        this(
                workflow,
                ranks,
                turns,
                new TaskNeeds(workflow, rules),
                new byte[workflow.size()],
                new int[workflow.size()],
                new int[workflow.size()],
                new int[workflow.size()],
                new BitSet());
        begin(0);
    }

    /** The same progress in a workflow that has grown. */
    TaskProgress(TaskProgress before, Workflow larger, int[] ranks) {
        this(
                larger,
                ranks,
                before.turns,
                new TaskNeeds(before.needs, larger),
                Arrays.copyOf(before.state, larger.size()),
                Arrays.copyOf(before.attempts, larger.size()),
                Arrays.copyOf(before.failures, larger.size()),
                Arrays.copyOf(before.committed, larger.size()),
                (BitSet) before.held.clone());
        preempted.putAll(before.preempted);
        System.arraycopy(before.missing, 0, missing, 0, before.missing.length);
        for (int task = 0; task < before.state.length; task++) {
            count(task);
            left -= isFinal(task) && molding != null ? molding.work(task) : 0;
        }
        begin(before.state.length);
        holdBack();
    }

    /** A copy without turns of workflows; it shares the order of the tasks. */
    private TaskProgress(TaskProgress of) {
        workflow = of.workflow;
        turns = null;
        state = of.state.clone();
        missing = of.missing.clone();
        attempts = of.attempts.clone();
        failures = of.failures.clone();
        committed = of.committed.clone();
        preempted.putAll(of.preempted);
        needs = new TaskNeeds(of.needs, workflow);
        molding = of.molding;
        left = of.left;
        ready = of.ready.fork();
        held = (BitSet) of.held.clone();
        back.or(of.back);
        running.or(of.running);
        levels = new LevelCounts(of.levels);
    }

    TaskProgress fork() {
        return new TaskProgress(this);
    }

    private TaskProgress(
            Workflow workflow,
            int[] ranks,
            @Nullable WorkflowTurns turns,
            TaskNeeds needs,
            byte[] state,
            int[] attempts,
            int[] failures,
            int[] committed,
            BitSet held) {
        this.workflow = workflow;
        this.turns = turns;
        this.needs = needs;
        this.state = state;
        this.attempts = attempts;
        this.failures = failures;
        this.committed = committed;
        this.held = held;
        levels = new LevelCounts(workflow.levels());
        molding = Molding.of(workflow);
        ready = new ReadyTasks(workflow, ranks, turns);
        left = molding == null ? 0 : molding.allWork();
        missing = new int[workflow.size()];
    }

    Checkpoint.Task checkpoint(int task) {
        return new Checkpoint.Task(
                state[task],
                held.get(task),
                attempts[task],
                failures[task],
                committed[task],
                needs.timeouts().count(task),
                needs.timeouts().after(task),
                needs.kills(task),
                preempted.getOrDefault(task, 0));
    }

    void restore(Checkpoint as) {
        for (int task = ready.nextTask(0); task >= 0; task = ready.nextTask(task + 1)) {
            ready.remove(task);
        }
        needs.runTimeError().restore(as.counts().runTimeError());
        levels.clearUnfinished();
        left = molding == null ? 0 : molding.allWork();
        for (int task = 0; task < state.length; task++) {
            Checkpoint.Task one = as.tasks().get(task);
            state[task] = one.state();
            held.set(task, one.held());
            attempts[task] = one.attempts();
            failures[task] = one.failures();
            committed[task] = one.committed();
            needs.restore(task, one);
            left -= isFinal(task) && molding != null ? molding.work(task) : 0;
            if (one.preempted() > 0) {
                preempted.put(task, one.preempted());
            }
            if (isFinal(task) && turns != null) {
                turns.over(task);
            }
        }
        Arrays.fill(missing, 0);
        for (int task = 0; task < state.length; task++) {
            for (int i = 0; i < workflow.parents(task); i++) {
                missing[task] += state[workflow.parent(task, i)] == DONE ? 0 : 1;
            }
        }
        as.ready().forEach(ready::add);
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
        if (!back.get(task)) {
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
        if (held.isEmpty() && back.isEmpty()) {
            return;
        }
        for (int i = 0; i < state.length; i++) {
            int task = workflow.inOrder(i);
            boolean value = !isFinal(task) && state[task] != RUNNING && (held.get(task) || isBehindHeld(task));
            if (value != back.get(task)) {
                holdBack(task, value);
            }
        }
        levels.restart();
    }

    private boolean isBehindHeld(int task) {
        for (int i = 0; i < workflow.parents(task); i++) {
            if (back.get(workflow.parent(task, i))) {
                return true;
            }
        }
        return false;
    }

    private void holdBack(int task, boolean value) {
        back.set(task, value);
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
        if (back.get(task)) {
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
    int take(int task) {
        if (turns != null) {
            turns.take(task);
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
        boolean wasBack = back.get(task);
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
        ArrayDeque<Integer> open = new ArrayDeque<>();
        open.add(failed);
        while (!open.isEmpty()) {
            int task = open.remove();
            for (int i = 0; i < workflow.children(task); i++) {
                int child = workflow.child(task, i);
                if (!isFinal(child) && state[child] != RUNNING) {
                    leave(child);
                    finish(child, SKIPPED);
                    open.add(child);
                }
            }
        }
    }

    private void finish(int task, byte how) {
        left -= molding == null ? 0 : molding.work(task);
        state[task] = how;
        if (turns != null) {
            turns.over(task);
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
        int widest = 1;
        for (int task = 0; task < state.length; task++) {
            widest = isFinal(task)
                    ? widest
                    : Math.max(widest, workflow.resources(task).nodes());
        }
        return widest;
    }

    /** The choices of cores; null if no task is moldable. */
    @Nullable
    Molding molding() {
        return molding;
    }

    /** Core-milliseconds of the unfinished tasks on their fewest cores; 0 if no task is moldable. */
    long leftWork() {
        return left;
    }

    /** Counts attempts up to this number as begun. */
    void begun(int task, int attempt) {
        attempts[task] = Math.max(attempts[task], attempt);
    }

    ReadyTasks ready() {
        return ready;
    }

    int attempts(int task) {
        return attempts[task];
    }

    /** The unfinished tasks per level. */
    LevelCounts levels() {
        return levels;
    }

    /** Whether a task is held, or depends on a held task. */
    boolean isHeld(int task) {
        return back.get(task);
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

    void describe(StringBuilder text) {
        text.append(Arrays.toString(state)).append(Arrays.toString(missing)).append('\n');
        text.append(Arrays.toString(attempts)).append(Arrays.toString(failures));
        text.append(Arrays.toString(committed));
        text.append(preempted.isEmpty() ? "" : "preempted " + preempted);
        ready.describe(text);
        text.append(levels).append(held).append(back);
        needs.describe(text);
    }
}
