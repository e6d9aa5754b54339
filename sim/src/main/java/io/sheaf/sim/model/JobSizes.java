package io.sheaf.sim.model;

import io.sheaf.random.RandomStream;

/**
 * Job sizes in nodes, after Lublin and Feitelson: a share of serial jobs; else 2 to the power of a two-stage uniform variable, uniform on
 * [low, medium] with probability {@code lowShare} and on [medium, high] otherwise; for a share of all jobs the power is rounded.
 *
 * @param nodes the cluster's size, which no job exceeds
 * @param serial share of jobs of one node
 * @param powerOfTwo share of jobs whose size is a power of two, besides the serial ones
 */
public record JobSizes(
        int nodes, double serial, double powerOfTwo, double low, double medium, double high, double lowShare) {

    public JobSizes {
        if (nodes < 1 || serial < 0 || powerOfTwo < 0 || serial + powerOfTwo > 1 || lowShare < 0 || lowShare > 1) {
            throw new IllegalArgumentException("shares of job sizes must be between 0 and 1");
        }
        if (!(low >= 0 && low <= medium && medium <= high)) {
            throw new IllegalArgumentException(
                    "job sizes need 0 <= low <= medium <= high, have " + low + ", " + medium + ", " + high);
        }
    }

    int sample(RandomStream random) {
        double kind = random.nextDouble();
        if (kind < serial) {
            return 1;
        }
        boolean first = random.nextDouble() < lowShare;
        double u = random.nextDouble();
        double power = first ? low + u * (medium - low) : medium + u * (high - medium);
        double size = StrictMath.pow(2, kind < serial + powerOfTwo ? StrictMath.rint(power) : power);
        return (int) Math.max(1, Math.min(nodes, StrictMath.rint(size)));
    }

    /** The probability of each size; index 0 is unused. */
    double[] probabilities() {
        double[] p = new double[nodes + 1];
        double free = 1 - serial - powerOfTwo;
        p[1] += serial;
        for (int k = 0; k <= (int) StrictMath.ceil(high); k++) {
            int size = (int) Math.min(nodes, StrictMath.rint(StrictMath.pow(2, k)));
            p[size] += powerOfTwo * between(k - 0.5, k + 0.5);
        }
        double below = 0;
        for (int n = 1; n <= nodes; n++) {
            double above = n == nodes ? 1 : below(log2(n + 0.5));
            p[n] += free * (above - below);
            below = above;
        }
        return p;
    }

    double mean() {
        double[] p = probabilities();
        double mean = 0;
        for (int n = 1; n <= nodes; n++) {
            mean += n * p[n];
        }
        return mean;
    }

    private double between(double from, double to) {
        return below(to) - below(from);
    }

    /** The distribution function of the power. */
    private double below(double power) {
        if (power >= high) {
            return 1;
        }
        if (power >= medium) {
            return lowShare + (1 - lowShare) * (power - medium) / (high - medium);
        }
        return power <= low ? 0 : lowShare * (power - low) / (medium - low);
    }

    static double log2(double x) {
        return StrictMath.log(x) / StrictMath.log(2);
    }
}
