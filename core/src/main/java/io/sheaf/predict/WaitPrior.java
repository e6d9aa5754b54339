package io.sheaf.predict;

import java.util.Arrays;

/** What is believed of the alternatives before anything was learnt: a probability for each. */
public final class WaitPrior {
    /** What is left to the alternatives that nothing speaks for, so that each of them can be found out to be right. */
    private static final double DOUBT = 0.1;

    /** Each step away from what was told makes an alternative so much less likely. */
    private static final double STEP = 0.5;

    private WaitPrior() {}

    /** Nothing is known: line 0 of Algorithm 1. */
    public static double[] uniform(Alternatives alternatives) {
        double[] prior = new double[alternatives.size()];
        Arrays.fill(prior, 1.0 / prior.length);
        return prior;
    }

    /** The scheduler said so: most likely the alternative closest to its estimate, half as likely the next ones, and so on. */
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
        return doubted(prior);
    }

    /** Such waits were seen before, e.g. in a log: each alternative as often as it was the closest. */
    public static double[] seen(Alternatives alternatives, long... waits) {
        double[] prior = new double[alternatives.size()];
        if (waits.length == 0) {
            return uniform(alternatives);
        }
        for (long wait : waits) {
            prior[alternatives.nearest(wait)]++;
        }
        return doubted(prior);
    }

    private static double[] doubted(double[] weights) {
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights)
                .map(weight -> (1 - DOUBT) * weight / sum + DOUBT / weights.length)
                .toArray();
    }
}
