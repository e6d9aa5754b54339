package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The ready tasks of each level, ordered by rank.
 *
 * <p>Each task has a <em>position</em>: tasks are sorted by level, then by rank. A bit set over the positions makes adding, removing and finding the
 * next task of a level cheap. A second bit set is indexed by task number.
 */
final class ReadyTasks {
    private final Workflow workflow;
    private final int[] rank;
    private final int[] position;
    private final int[] taskAt;
    private final int[] levelStart;
    private final long[] ready;
    private final BitSet tasks;
    private final int[] inLevel;
    private final @Nullable WorkflowTurns turns;

    /**
     * Without ready tasks.
     *
     * @param ranks the rank of each task
     * @param turns notified of ready tasks; null if the run has one workflow only
     */
    ReadyTasks(Workflow workflow, int[] ranks, @Nullable WorkflowTurns turns) {
        this.workflow = workflow;
        this.turns = turns;
        rank = ranks;
        position = new int[rank.length];
        taskAt = new int[rank.length];
        levelStart = new int[workflow.levels() + 1];
        ready = new long[(rank.length + 63) / 64];
        tasks = new BitSet(rank.length);
        inLevel = new int[workflow.levels()];
        place();
    }

    /** A copy without turns of workflows; it shares the order of the tasks. */
    private ReadyTasks(ReadyTasks source) {
        workflow = source.workflow;
        turns = null;
        rank = source.rank;
        position = source.position;
        taskAt = source.taskAt;
        levelStart = source.levelStart;
        ready = source.ready.clone();
        tasks = (BitSet) source.tasks.clone();
        inLevel = source.inLevel.clone();
    }

    ReadyTasks fork() {
        return new ReadyTasks(this);
    }

    private void place() {
        int[] byRank = new int[rank.length];
        for (int task = 0; task < rank.length; task++) {
            byRank[rank[task]] = task;
        }
        for (int level = 0; level < workflow.levels(); level++) {
            levelStart[level + 1] = levelStart[level] + workflow.width(level);
        }
        int[] next = levelStart.clone();
        for (int task : byRank) {
            int at = next[workflow.level(task)]++;
            position[task] = at;
            taskAt[at] = task;
        }
    }

    void add(int task) {
        int at = position[task];
        ready[at >> 6] |= 1L << at;
        tasks.set(task);
        inLevel[workflow.level(task)]++;
        if (turns != null) {
            turns.ready(task);
        }
    }

    void remove(int task) {
        int at = position[task];
        ready[at >> 6] &= ~(1L << at);
        tasks.clear(task);
        inLevel[workflow.level(task)]--;
        if (turns != null) {
            turns.unready(task);
        }
    }

    boolean contains(int task) {
        return tasks.get(task);
    }

    int inLevel(int level) {
        return inLevel[level];
    }

    /** The positions of some tasks as bits; empty for all tasks. */
    long[] positions(TaskGroup group) {
        long[] bits = new long[group.isAll() ? 0 : ready.length];
        for (int i = 0; i < group.size(); i++) {
            int at = position[group.task(i)];
            bits[at >> 6] |= 1L << at;
        }
        return bits;
    }

    /**
     * The next position after this one with a ready task of the level, restricted to {@code among}; −1 if there is none. Start with {@link #before}.
     */
    int next(int level, int after, long[] among) {
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

    /** The ready task with the lowest number ≥ {@code task}; −1 if there is none. */
    int nextTask(int task) {
        return tasks.nextSetBit(task);
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
}
