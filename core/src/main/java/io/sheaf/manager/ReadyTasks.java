package io.sheaf.manager;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks are ready, level by level in the order in which they are to be taken.
 *
 * <p>Tasks are kept by <em>position</em>: sorted by level, within a level by rank. The ready ones are bits over the positions, so
 * that adding, taking and looking for the next one of a level cost next to nothing. They are bits over the task numbers, too.
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
     * None is ready yet.
     *
     * @param turns told which are; null where tasks of one workflow only are run
     */
    ReadyTasks(Workflow workflow, Ranking ranking, @Nullable WorkflowTurns turns) {
        this.workflow = workflow;
        this.turns = turns;
        rank = ranking.ranks(workflow);
        position = new int[rank.length];
        taskAt = new int[rank.length];
        levelStart = new int[workflow.levels() + 1];
        ready = new long[(rank.length + 63) / 64];
        tasks = new BitSet(rank.length);
        inLevel = new int[workflow.levels()];
        place();
    }

    /** A copy without turns of workflows; the order of the tasks is shared. */
    private ReadyTasks(ReadyTasks of) {
        workflow = of.workflow;
        turns = null;
        rank = of.rank;
        position = of.position;
        taskAt = of.taskAt;
        levelStart = of.levelStart;
        ready = of.ready.clone();
        tasks = (BitSet) of.tasks.clone();
        inLevel = of.inLevel.clone();
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

    /** The positions of some tasks, as bits; none stand for all tasks. */
    long[] positions(TaskGroup some) {
        long[] bits = new long[some.isAll() ? 0 : ready.length];
        for (int i = 0; i < some.size(); i++) {
            int at = position[some.task(i)];
            bits[at >> 6] |= 1L << at;
        }
        return bits;
    }

    /** The position of the first ready task of a level behind this position and among some, or −1; start with {@link #before}. */
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

    /** The ready task with the lowest number that is not below this one, or −1. */
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

    void describe(StringBuilder text) {
        text.append(Arrays.toString(ready)).append(Arrays.toString(inLevel));
    }
}
