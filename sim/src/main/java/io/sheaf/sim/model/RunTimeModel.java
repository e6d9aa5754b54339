package io.sheaf.sim.model;

import io.sheaf.random.RandomStream;

/**
 * How long a job runs, after Lublin and Feitelson: the logarithm is hyper-gamma, a mixture of a component of short jobs and one
 * of long jobs; the share of the short one falls (or rises) linearly with the job's size, which correlates the two.
 *
 * @param slope change of the share of short jobs with each node
 * @param share that share for a job of no nodes; the line is cut off at 0 and 1
 */
record RunTimeModel(LogGamma shorter, LogGamma longer, double slope, double share) {
    double shortShare(int nodes) {
        return Math.min(1, Math.max(0, share + slope * nodes));
    }

    double sample(int nodes, RandomStream random) {
        boolean isShort = random.nextDouble() < shortShare(nodes);
        return (isShort ? shorter : longer).sample(random);
    }
}
