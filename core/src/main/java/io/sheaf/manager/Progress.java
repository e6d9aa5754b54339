package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How far each task of a workflow is, and which are ready, level by level in the order in which they are to be taken.
 *
 * <p>Tasks are kept by <em>position</em>: sorted by level, within a level by rank. The ready ones are bits over the positions, so
 * that adding, taking and looking for the next one of a level cost next to nothing. They are bits over the task numbers, too.
 */
final class Progress {
    /** A task's state is 0 while a parent of it is not done; the numbers are those of {@link TaskState}. */
    private static final byte READY = 1;

    private static final byte RUNNING = 2;
    private static final byte DONE = 3;
    private static final byte FAILED = 4;
    private static final byte SKIPPED = 5;
    private static final TaskState[] STATES = TaskState.values();

    /** How often a task was cut off after at least twice the time it had before, and after how long. */
    private record Cuts(int count, long after) {}

    private final Workflow workflow;
    private final byte[] state;
    private final int[] missing;
    private final int[] attempts;
    private final int[] failures;
    private final int[] committed;
    private final Map<Integer, Cuts> cuts = new TreeMap<>();
    private final int[] rank;
    private final int[] position;
    private final int[] taskAt;
    private final int[] levelStart;
    private final long[] ready;
    private final BitSet readyTasks;
    private final int[] readyIn;
    private final int[] runningIn;
    private final int[] unfinishedIn;
    private int unfinished;
    private int firstUnfinished;

    Progress(Workflow workflow, Ranking ranking) {
        this.workflow = workflow;
        int tasks = workflow.size();
        int levels = workflow.levels();
        state = new byte[tasks];
        missing = new int[tasks];
        attempts = new int[tasks];
        failures = new int[tasks];
        committed = new int[tasks];
        rank = ranking.ranks(workflow);
        position = new int[tasks];
        taskAt = new int[tasks];
        levelStart = new int[levels + 1];
        ready = new long[(tasks + 63) / 64];
        readyTasks = new BitSet(tasks);
        readyIn = new int[levels];
        runningIn = new int[levels];
        unfinishedIn = new int[levels];
        unfinished = tasks;
        place();
        for (int task = 0; task < tasks; task++) {
            missing[task] = workflow.parents(task);
            if (missing[task] == 0) {
                makeReady(task);
            }
        }
    }

    /** The same progress in a workflow that has grown; what is done stays done, even if it has a new parent. */
    Progress(Progress before, Workflow larger, Ranking ranking) {
        this(larger, ranking);
        cuts.putAll(before.cuts);
        for (int i = 0; i < before.workflow.size(); i++) {
            int task = before.workflow.inOrder(i);
            attempts[task] = before.attempts[task];
            failures[task] = before.failures[task];
            switch (before.state[task]) {
                case DONE -> done(task, before.committed[task]);
                case RUNNING, FAILED -> run(task);
                default -> {}
            }
        }
        for (int task = 0; task < before.workflow.size(); task++) {
            if (before.state[task] == FAILED) {
                failed(task);
            }
        }
    }

    /** A copy; the order of the tasks is shared. */
    private Progress(Progress of) {
        workflow = of.workflow;
        state = of.state.clone();
        missing = of.missing.clone();
        attempts = of.attempts.clone();
        failures = of.failures.clone();
        committed = of.committed.clone();
        cuts.putAll(of.cuts);
        rank = of.rank;
        position = of.position;
        taskAt = of.taskAt;
        levelStart = of.levelStart;
        ready = of.ready.clone();
        readyTasks = (BitSet) of.readyTasks.clone();
        readyIn = of.readyIn.clone();
        runningIn = of.runningIn.clone();
        unfinishedIn = of.unfinishedIn.clone();
        unfinished = of.unfinished;
        firstUnfinished = of.firstUnfinished;
    }

    Progress fork() {
        return new Progress(this);
    }

    private void place() {
        int[] byRank = new int[rank.length];
        for (int task = 0; task < rank.length; task++) {
            byRank[rank[task]] = task;
        }
        for (int level = 0; level < workflow.levels(); level++) {
            unfinishedIn[level] = workflow.width(level);
            levelStart[level + 1] = levelStart[level] + workflow.width(level);
        }
        int[] next = levelStart.clone();
        for (int task : byRank) {
            int at = next[workflow.level(task)]++;
            position[task] = at;
            taskAt[at] = task;
        }
    }

    private void makeReady(int task) {
        state[task] = READY;
        int at = position[task];
        ready[at >> 6] |= 1L << at;
        readyTasks.set(task);
        readyIn[workflow.level(task)]++;
    }

    /** Another attempt of a ready task starts; returns its number. */
    int take(int task) {
        run(task);
        return ++attempts[task];
    }

    private void unready(int task) {
        if (state[task] == READY) {
            int at = position[task];
            ready[at >> 6] &= ~(1L << at);
            readyTasks.clear(task);
            readyIn[workflow.level(task)]--;
        }
    }

    private void run(int task) {
        unready(task);
        runningIn[workflow.level(task)]++;
        state[task] = RUNNING;
    }

    /** An attempt of a task counts, running or not; its children may become ready. */
    void done(int task, int attempt) {
        if (state[task] == RUNNING) {
            runningIn[workflow.level(task)]--;
        } else {
            unready(task);
        }
        committed[task] = attempt;
        finish(task, DONE);
        for (int i = 0; i < workflow.children(task); i++) {
            int child = workflow.child(task, i);
            if (--missing[child] == 0 && state[child] == 0) {
                makeReady(child);
            }
        }
    }

    /** A running task has failed for good; nothing behind it can run. */
    void failed(int task) {
        runningIn[workflow.level(task)]--;
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
                if (state[child] == 0) {
                    finish(child, SKIPPED);
                    open.add(child);
                }
            }
        }
    }

    private void finish(int task, byte how) {
        int level = workflow.level(task);
        state[task] = how;
        unfinishedIn[level]--;
        unfinished--;
        while (firstUnfinished < unfinishedIn.length && unfinishedIn[firstUnfinished] == 0) {
            firstUnfinished++;
        }
    }

    /** A running task was lost; it is ready again, unless it has a new parent by now. */
    void lost(int task) {
        runningIn[workflow.level(task)]--;
        if (missing[task] == 0) {
            makeReady(task);
        } else {
            state[task] = 0;
        }
    }

    /** The last attempt of a task has failed by its own fault; returns how many have. */
    int failure(int task) {
        return ++failures[task];
    }

    /** How many attempts of a task that does not run were cut off or lost without its fault. */
    int losses(int task) {
        return attempts[task] - failures[task];
    }

    /** An attempt was cut off after so long; how often that has happened after twice as long as before. */
    int cutOff(int task, long after) {
        Cuts before = cuts.getOrDefault(task, new Cuts(0, 0));
        if (before.count == 0 || after >= 2 * before.after) {
            cuts.put(task, new Cuts(before.count + 1, Math.max(1, after)));
        }
        return cuts.getOrDefault(task, before).count;
    }

    /** Tasks of which an attempt was cut off. */
    Set<Integer> cutTasks() {
        return cuts.keySet();
    }

    /** After how long an attempt of a task was cut off that counted; 0 if none did. */
    long cutAfter(int task) {
        Cuts known = cuts.get(task);
        return known == null ? 0 : known.after;
    }

    /** The positions of some tasks, as bits; none stand for all tasks. */
    long[] positions(TaskGroup tasks) {
        long[] bits = new long[tasks.isAll() ? 0 : ready.length];
        for (int i = 0; i < tasks.size(); i++) {
            int at = position[tasks.task(i)];
            bits[at >> 6] |= 1L << at;
        }
        return bits;
    }

    /** The first ready task of a level behind this position and among some, or −1; start with {@link #before}. */
    int nextReady(int level, int after, long[] among) {
        int from = after + 1;
        int end = levelStart[level + 1];
        while (from < end) {
            long bits = ready[from >> 6] & (among.length == 0 ? -1 : among[from >> 6]);
            long word = bits >>> from;
            if (word != 0) {
                int at = from + Long.numberOfTrailingZeros(word);
                return at < end ? at : -1;
            }
            from = (from | 63) + 1;
        }
        return -1;
    }

    /** The ready task with the lowest number that is not below this one, or −1. */
    int nextReadyTask(int task) {
        return readyTasks.nextSetBit(task);
    }

    /** The position before a level's first. */
    int before(int level) {
        return levelStart[level] - 1;
    }

    int taskAt(int at) {
        return taskAt[at];
    }

    int rank(int task) {
        return rank[task];
    }

    int attempts(int task) {
        return attempts[task];
    }

    int readyIn(int level) {
        return readyIn[level];
    }

    int unfinishedIn(int level) {
        return unfinishedIn[level];
    }

    /** Tasks of a level that are neither over nor running. */
    int idleIn(int level) {
        return unfinishedIn[level] - runningIn[level];
    }

    int unfinished() {
        return unfinished;
    }

    int firstUnfinishedLevel() {
        return firstUnfinished;
    }

    boolean isReady(int task) {
        return state[task] == READY;
    }

    boolean isRunning(int task) {
        return state[task] == RUNNING;
    }

    /** Whether nothing more can be done for a task. */
    boolean isFinal(int task) {
        return state[task] >= DONE;
    }

    TaskState state(int task) {
        return STATES[state[task]];
    }

    /** The attempt of a task that counts; 0 if none does. */
    int committed(int task) {
        return committed[task];
    }

    void describe(StringBuilder text) {
        text.append(Arrays.toString(state)).append(Arrays.toString(missing)).append('\n');
        text.append(Arrays.toString(attempts)).append(Arrays.toString(failures));
        text.append(Arrays.toString(committed)).append(cuts).append('\n');
        text.append(Arrays.toString(ready)).append(Arrays.toString(readyIn)).append(Arrays.toString(runningIn));
        text.append(Arrays.toString(unfinishedIn)).append(unfinished).append(' ');
        text.append(firstUnfinished).append('\n');
    }
}
