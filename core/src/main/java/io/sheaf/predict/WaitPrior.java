package io.sheaf.predict;

import java.util.Arrays;

/** Prior probabilities of the alternatives. */
public final class WaitPrior {
    /** The probability left for alternatives without evidence, so that the learner can still find them. */
    private static final double DOUBT = 0.1;

    /** The factor of the probability for each step away from the estimate. */
    private static final double STEP = 0.5;

    private WaitPrior() {}

    /** Uniform, as in Algorithm 1. */
    public static double[] uniform(Alternatives alternatives) {
        double[] prior = new double[alternatives.size()];
        Arrays.fill(prior, 1.0 / prior.length);
        return prior;
    }

    /** From the scheduler's estimate: the closest alternative is most likely, the next ones half as likely, and so on. */
    public static double[] around(Alternatives alternatives, long estimate) {
        double[] prior = new double[alternatives.size()];
        int nearest = alternatives.nearest(estimate);
        double likely = 1;
        for (int distance = 0; distance < prior.length; distance++, likely *= STEP) {
            if (nearest - distance >= 0) {
                prior[nearest - distance] = likely;
            }
            if (nearest + distance < prior.length) {
                prior[nearest + distance] = likely;
            }
        }
        return smoothed(prior);
    }

    /** From observed waits, e.g. of a log: the frequency with which each alternative was the closest. */
    public static double[] fromWaits(Alternatives alternatives, long... waits) {
        double[] prior = new double[alternatives.size()];
        if (waits.length == 0) {
            return uniform(alternatives);
        }
        for (long wait : waits) {
            prior[alternatives.nearest(wait)]++;
        }
        return smoothed(prior);
    }

    private static double[] smoothed(double[] weights) {
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights)
                .map(weight -> (1 - DOUBT) * weight / sum + DOUBT / weights.length)
                .toArray();
    }
}
