package io.sheaf.sim.model;

import io.sheaf.random.RandomStream;
import java.util.Arrays;

/**
 * Requested walltimes: an accuracy drawn as a power of a uniform number, and the round value above run time / accuracy.
 *
 * <p>After Tsafrir, Etsion and Feitelson, "Modeling user runtime estimates" (JSSPP 2005): nearly all estimates are one of some twenty round
 * values, the site's limit is among the most popular, and the accuracy (run time over request) spreads over (0, 1] with most jobs far below
 * 1. The law is simpler than theirs, with one parameter: accuracy = U^k with U uniform. k = 0 requests the run time rounded up. On SDSC SP2
 * 38 % of the jobs use less than a tenth of their request and 74 % less than half; k = 2.4 gives 38 % and 75 %.
 */
final class UserEstimates {
    private static final int[] ROUND_MINUTES = {
        1, 2, 5, 10, 15, 20, 30, 60, 90, 120, 180, 240, 300, 360, 480, 600, 720, 900, 1080, 1200, 1440, 2160, 2880,
        3600, 4320, 5760, 7200, 10080, 14400
    };

    private final double power;
    private final double[] values;
    private final double[] logs;

    /** Estimates of accuracy U^power that are round values of seconds, the largest being the limit. */
    UserEstimates(double power, double limit) {
        this.power = power;
        double[] below = Arrays.stream(ROUND_MINUTES)
                .mapToDouble(m -> m * 60.0)
                .filter(v -> v < limit)
                .toArray();
        this.values = Arrays.copyOf(below, below.length + 1);
        this.values[below.length] = limit;
        this.logs = Arrays.stream(values).map(StrictMath::log).toArray();
    }

    /** The request, in seconds, for a run time not above the limit. */
    double sample(double run, RandomStream random) {
        double accuracy = StrictMath.pow(1 - random.nextDouble(), power);
        int at = Arrays.binarySearch(values, run / accuracy);
        return values[Math.min(values.length - 1, at < 0 ? -at - 1 : at)];
    }

    /** The mean request for a run time: the values weighted with the probability that each is the first above run / U^k. */
    double mean(double run) {
        double mean = 0;
        double below = 0;
        double log = StrictMath.log(run);
        for (int i = 0; i < values.length; i++) {
            boolean last = i == values.length - 1;
            double cumulative = last ? 1 : probabilityUpTo(log, logs[i]);
            mean += values[i] * (cumulative - below);
            below = cumulative;
        }
        return mean;
    }

    /** P(run / U^k <= value) = P(U >= (run / value)^(1/k)). */
    private double probabilityUpTo(double logRun, double logValue) {
        if (logRun > logValue) {
            return 0;
        }
        return power == 0 ? 1 : 1 - StrictMath.exp((logRun - logValue) / power);
    }
}
