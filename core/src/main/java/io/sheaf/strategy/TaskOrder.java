package io.sheaf.strategy;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Which ready task goes first when there are fewer free cores than ready tasks.
 *
 * <p>Times are milliseconds here as everywhere in planning: a task's microseconds, rounded up; an unknown time counts 0.
 */
public enum TaskOrder {
    /** Lower task number first: how the authors of GLUME plan. */
    BY_NUMBER,
    /** Longest run time first; of equal ones the lower number. */
    LONGEST_FIRST,
    /** Longest run time first; of equal ones the greater number: how the authors of GLUME execute. */
    LONGEST_FIRST_GREATER_NUMBER,
    /** Longest path to the end of the workflow first (the task itself included); of equal ones the lower number. */
    BOTTOM_LEVEL;

    /** For each task its place in this order: a permutation of 0 … size − 1, 0 going first. */
    public int[] ranks(Workflow workflow) {
        return switch (this) {
            case BY_NUMBER -> identity(workflow.size());
            case LONGEST_FIRST -> greatestFirst(times(workflow), false);
            case LONGEST_FIRST_GREATER_NUMBER -> greatestFirst(times(workflow), true);
            case BOTTOM_LEVEL -> greatestFirst(bottomLevels(workflow), false);
        };
    }

    /** A task's run time in milliseconds. */
    public static long millis(Workflow workflow, int task) {
        long micros = Math.max(0, workflow.timeMicros(task));
        return micros / 1_000 + (micros % 1_000 == 0 ? 0 : 1);
    }

    private static int[] identity(int size) {
        int[] ranks = new int[size];
        Arrays.setAll(ranks, task -> task);
        return ranks;
    }

    private static long[] times(Workflow workflow) {
        long[] times = new long[workflow.size()];
        Arrays.setAll(times, task -> millis(workflow, task));
        return times;
    }

    private static long[] bottomLevels(Workflow workflow) {
        long[] bottom = new long[workflow.size()];
        for (int i = workflow.size() - 1; i >= 0; i--) {
            int task = workflow.inOrder(i);
            long longest = 0;
            for (int c = 0; c < workflow.children(task); c++) {
                longest = Math.max(longest, bottom[workflow.child(task, c)]);
            }
            bottom[task] = longest + millis(workflow, task);
        }
        return bottom;
    }

    /** The sort is stable, so equal keys keep the order they come in. */
    private static int[] greatestFirst(long[] keys, boolean greaterNumberFirst) {
        Integer[] order = new Integer[keys.length];
        Arrays.setAll(order, i -> greaterNumberFirst ? keys.length - 1 - i : i);
        Arrays.sort(order, Comparator.comparingLong((Integer task) -> -keys[task]));
        int[] ranks = new int[keys.length];
        for (int rank = 0; rank < order.length; rank++) {
            ranks[order[rank]] = rank;
        }
        return ranks;
    }
}
