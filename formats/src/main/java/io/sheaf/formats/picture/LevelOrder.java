package io.sheaf.formats.picture;

import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/**
 * The order of the tasks within each level, chosen so that few edges cross.
 *
 * <p>The barycentre method of layered graph drawing (Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
 * structures", 1981): sweep down and up through the levels, and sort each by the mean place of its tasks' parents, or children. Places
 * are fractions of a level's width, since levels differ in width and an edge may skip some. A task without such neighbours stays where
 * it is; equal means keep their order, so that the order depends only on the workflow.
 */
final class LevelOrder {
    private static final int SWEEPS = 8;
    private static final int SWEEPS_IF_LARGE = 2;
    private static final int LARGE = 200_000;

    private final Workflow workflow;
    private final double[] place;
    private final double[] barycentre;
    private final Integer[][] order;

    private LevelOrder(Workflow workflow) {
        this.workflow = workflow;
        place = new double[workflow.size()];
        barycentre = new double[workflow.size()];
        order = new Integer[workflow.levels()][];
        for (int level = 0; level < order.length; level++) {
            order[level] = new Integer[workflow.width(level)];
            for (int i = 0; i < order[level].length; i++) {
                order[level][i] = workflow.taskOfLevel(level, i);
            }
            settle(level);
        }
    }

    /** For each level its tasks from left to right. */
    static int[][] of(Workflow workflow) {
        LevelOrder order = new LevelOrder(workflow);
        int sweeps = workflow.size() + workflow.edges() > LARGE ? SWEEPS_IF_LARGE : SWEEPS;
        for (int i = 0; i < sweeps; i++) {
            order.down();
            order.up();
        }
        order.down();
        return Arrays.stream(order.order)
                .map(level -> Arrays.stream(level).mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new);
    }

    private void down() {
        for (int level = 1; level < order.length; level++) {
            sort(level, workflow::parents, workflow::parent);
        }
    }

    private void up() {
        for (int level = order.length - 1; level >= 0; level--) {
            sort(level, workflow::children, workflow::child);
        }
    }

    /** Sorts a level by the mean place of the neighbours of its tasks. */
    private void sort(int level, IntUnaryOperator degree, IntBinaryOperator neighbour) {
        for (int task : order[level]) {
            int neighbours = degree.applyAsInt(task);
            double sum = 0;
            for (int i = 0; i < neighbours; i++) {
                sum += place[neighbour.applyAsInt(task, i)];
            }
            barycentre[task] = neighbours == 0 ? place[task] : sum / neighbours;
        }
        Arrays.sort(order[level], Comparator.comparingDouble(task -> barycentre[task]));
        settle(level);
    }

    private void settle(int level) {
        for (int i = 0; i < order[level].length; i++) {
            place[order[level][i]] = (i + 0.5) / order[level].length;
        }
    }
}
