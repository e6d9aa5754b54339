package io.sheaf.strategy;

import io.sheaf.predict.RunTimeDistribution;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;

/**
 * Which ready task goes first when there are fewer free cores than ready tasks.
 *
 * <p>Times are milliseconds here as everywhere in planning: a task's microseconds, rounded up; an unknown time counts 0. In an order, an unknown time is at least as long as
 * all known ones: its task may be the longest, and running it measures the time. The first such task of each category goes before the others.
 */
public enum TaskOrder {
    /** Lower task number first: how the authors of GLUME plan. */
    BY_NUMBER,
    /** Longest run time first; of equal ones the lower number. */
    LONGEST_FIRST,
    /** Longest run time first; of equal ones the greater number: how the authors of GLUME execute. */
    LONGEST_FIRST_GREATER_NUMBER,
    /**
     * Longest path to the end of the workflow first (the task itself included); of equal ones the lower number.
     *
     * <p>A task that needs more than half of a node's memory excludes others of its kind from the node. Such tasks go before those whose paths are less than twice as long,
     * the largest first. Smaller ones then fill what they leave.
     */
    BOTTOM_LEVEL;

    /**
     * For each task its place in this order: a permutation of 0 … size − 1, 0 going first.
     *
     * @param node what a node has for tasks
     */
    public int[] ranks(Workflow workflow, Resources node) {
        return switch (this) {
            case BY_NUMBER -> identity(workflow.size());
            case LONGEST_FIRST -> greatestFirst(times(workflow), false);
            case LONGEST_FIRST_GREATER_NUMBER -> greatestFirst(times(workflow), true);
            case BOTTOM_LEVEL -> largeFirst(workflow, node.memory() / 2, workflow.bottomLevels(times(workflow)));
        };
    }

    private static int[] identity(int size) {
        int[] ranks = new int[size];
        Arrays.setAll(ranks, task -> task);
        return ranks;
    }

    private static long[] times(Workflow workflow) {
        long unknown = RunTimeDistribution.MEDIAN;
        for (int task = 0; task < workflow.size(); task++) {
            unknown = Math.max(unknown, workflow.timeMillis(task));
        }
        long[] times = new long[workflow.size()];
        BitSet categories = new BitSet();
        for (int task = 0; task < workflow.size(); task++) {
            boolean known = workflow.timeMicros(task) != Workflow.UNKNOWN;
            boolean first = !known && !categories.get(workflow.categoryNumber(task));
            times[task] = known ? workflow.timeMillis(task) : first ? unknown + 1 : unknown;
            categories.set(workflow.categoryNumber(task), !known || categories.get(workflow.categoryNumber(task)));
        }
        return times;
    }

    private static int[] greatestFirst(long[] keys, boolean greaterNumberFirst) {
        return ranks(keys.length, greaterNumberFirst, Comparator.comparingLong((Integer task) -> -keys[task]));
    }

    /** Tasks that need more than some memory go first among those with paths of the same power of two. */
    private static int[] largeFirst(Workflow workflow, long half, long[] bottom) {
        long[] large = new long[bottom.length];
        boolean anyLarge = false;
        for (int task = 0; task < large.length; task++) {
            long memory = workflow.resources(task).memory();
            large[task] = memory > half ? memory : 0;
            anyLarge |= memory > half;
        }
        return !anyLarge
                ? greatestFirst(bottom, false)
                : ranks(
                        large.length,
                        false,
                        Comparator.comparingInt((Integer task) -> Long.numberOfLeadingZeros(bottom[task]))
                                .thenComparingLong(task -> -large[task])
                                .thenComparingLong(task -> -bottom[task]));
    }

    /** The sort is stable, so equal tasks keep the order they come in. */
    private static int[] ranks(int size, boolean greaterNumberFirst, Comparator<Integer> by) {
        Integer[] order = new Integer[size];
        Arrays.setAll(order, i -> greaterNumberFirst ? size - 1 - i : i);
        Arrays.sort(order, by);
        int[] ranks = new int[size];
        for (int rank = 0; rank < order.length; rank++) {
            ranks[order[rank]] = rank;
        }
        return ranks;
    }
}
