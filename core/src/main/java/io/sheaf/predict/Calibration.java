package io.sheaf.predict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How well estimators have done lately, by their predictions of waits and the waits that then were.
 *
 * <p>The loss of a prediction is what it is wrong by, but for 5 s, / (predicted + actual + 1 min): between 0 and 1, so that one job that waited for days does not drown
 * a hundred others, and blind to the seconds that a start takes: who was told "at once" by all has learnt nothing about whom to believe when the cluster is full. The recent loss of an estimator is the mean over its last {@value #RECENT} predictions.
 */
public final class Calibration {
    /** How many of the last predictions count: a queue changes its habits within weeks, a user submits some ten jobs a day. */
    public static final int RECENT = 20;

    /** With fewer predictions than this nobody takes the place of an estimator that is trusted more. */
    public static final int ENOUGH = 3;

    private static final double MINUTE = 60_000;
    private static final double SECONDS = 5_000;

    private final Map<String, List<Double>> losses = new HashMap<>();

    /** Takes note of a prediction and of what came; waits in milliseconds, in the order in which jobs started. */
    public void add(String estimator, long predicted, long actual) {
        losses.computeIfAbsent(estimator, name -> new ArrayList<>()).add(loss(predicted, actual));
    }

    /** What a prediction is worth: 0 if it came true, to a few seconds. */
    public static double loss(long predicted, long actual) {
        double p = Math.max(0, predicted);
        double a = Math.max(0, actual);
        return Math.max(0, Math.abs(p - a) - SECONDS) / (p + a + MINUTE);
    }

    /** How many predictions of an estimator are known. */
    public int count(String estimator) {
        return losses.getOrDefault(estimator, List.of()).size();
    }

    /** The mean loss of its last predictions; not a number if there are none. */
    public double recentLoss(String estimator) {
        List<Double> all = losses.getOrDefault(estimator, List.of());
        return all.subList(Math.max(0, all.size() - RECENT), all.size()).stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /** The one with the least recent loss; the first of these, which is trusted most, while it is not beaten by enough experience. */
    public String best(List<String> estimators) {
        String best = estimators.get(0);
        for (String estimator : estimators) {
            boolean known = count(estimator) >= ENOUGH && count(best) >= ENOUGH;
            if (known && recentLoss(estimator) < recentLoss(best)) {
                best = estimator;
            }
        }
        return best;
    }
}
