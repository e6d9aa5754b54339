package io.sheaf.workflow.generate;

import java.util.Arrays;

/**
 * Divides a whole number by weights so that the parts add up exactly.
 *
 * <p>Running sums are rounded: part i is the rounded sum up to i less the rounded sum up to i − 1. Each part is within 1 of its exact share
 * (beyond 2^53, within the precision of a double).
 */
final class Shares {
    private Shares() {}

    /** The total divided in proportion to the weights; equally if all of them are 0. */
    static long[] of(long total, double[] weights) {
        double all = 0;
        for (double weight : weights) {
            all += weight;
        }
        if (all == 0) {
            double[] equal = new double[weights.length];
            Arrays.fill(equal, 1);
            return weights.length == 0 ? new long[0] : of(total, equal);
        }
        long[] parts = new long[weights.length];
        double sum = 0;
        long assigned = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            // The sum is made in the same order as above, so that it ends on the same double; the last part takes the
            // rest.
            long limit = i == weights.length - 1 ? total : Math.min(total, Math.round(total * (sum / all)));
            parts[i] = limit - assigned;
            assigned = limit;
        }
        return parts;
    }

    /** Each weight as the nearest whole number. */
    static long[] rounded(double[] weights) {
        long[] parts = new long[weights.length];
        Arrays.setAll(parts, i -> Math.round(weights[i]));
        return parts;
    }
}
