package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Correction factors of the scheduler's estimates: the median of wait / estimate over the latest jobs of similar width with an estimated wait.
 *
 * <p>Requests exceed run times, so waits are mostly shorter than estimates; later arrivals may make them longer.
 */
public final class WaitFactors {
    private static final int KEPT = 100;
    private static final int MIN = 10;

    private final Map<Integer, ArrayDeque<Double>> factors = new HashMap<>();

    /** Records an estimated and an actual wait, in milliseconds. */
    public void learn(int nodes, long estimate, long waited) {
        if (estimate > 0) {
            ArrayDeque<Double> values = factors.computeIfAbsent(kind(nodes), each -> new ArrayDeque<>());
            values.addLast(waited / (double) estimate);
            if (values.size() > KEPT) {
                values.removeFirst();
            }
        }
    }

    /** The factor for jobs of this many nodes; 1 without enough observations. */
    public double factor(int nodes) {
        ArrayDeque<Double> values = factors.get(kind(nodes));
        if (values == null || values.size() < MIN) {
            return 1;
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int n = sorted.length;
        return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    }

    /** The class of a node count: 1, 2 to 4, 5 to 16 and so on. */
    private static int kind(int nodes) {
        int kind = 0;
        for (long limit = 1; limit < nodes; limit *= 4) {
            kind++;
        }
        return kind;
    }
}
