package io.sheaf.workflow.generate;

import io.sheaf.random.RandomStream;

/**
 * Gaussian elimination of a matrix of order n by columns (see {@link ZhangFamily}).
 *
 * <p>The graph is the triangle of Cosnard, Marrakchi, Robert and Trystram (Parallel Computing 1988) that list scheduling is
 * tested with since: step k has one pivot task, then an update of each of the n − k columns to its right; the update of the
 * first of them feeds the next pivot, the others the next update of their column. (n² + n − 2)/2 tasks in 2(n − 1) levels of
 * at most n − 1 tasks. At n = 56 that is a width of 55 and 110 levels, which are the figures of the paper.
 *
 * <p>Weights, chosen by the operations: step k handles n − k elements of a column, the pivot divides each (n − k), an update
 * multiplies and subtracts (2 (n − k)). The 25 sizes have n from 6 to 56 in equal steps, rounded.
 */
final class GaussianElimination extends ZhangFamily {
    private static final int MIN_ORDER = 6;
    private static final int MAX_ORDER = 56;

    GaussianElimination() {
        super("gaussian", "Gaussian elimination: a pivot and column updates in each of n - 1 steps", 2);
    }

    @Override
    int dimension(int size) {
        int steps = SIZES - 1;
        return MIN_ORDER + ((MAX_ORDER - MIN_ORDER) * (size - 1) + steps / 2) / steps;
    }

    @Override
    long tasks(int order) {
        return ((long) order * order + order - 2) / 2;
    }

    @Override
    void draw(Sketch sketch, int order, RandomStream random) {
        // The latest task on each column.
        int[] column = new int[order + 1];
        for (int step = 1; step < order; step++) {
            int pivot = sketch.task("pivot", order - step);
            if (step > 1) {
                sketch.edge(column[step], pivot);
            }
            for (int j = step + 1; j <= order; j++) {
                int update = sketch.task("update", 2.0 * (order - step));
                sketch.edge(pivot, update);
                if (step > 1) {
                    sketch.edge(column[j], update);
                }
                column[j] = update;
            }
        }
    }
}
