package io.sheaf.predict;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The recent accuracy of estimators, from predicted and actual waits.
 *
 * <p>The loss of a prediction is its error beyond 5 s, divided by (predicted + actual + 1 min). It is between 0 and 1, so that a single long wait
 * does not dominate. Errors of a few seconds count as correct, because immediate starts do not distinguish estimators. The recent loss of an
 * estimator is the mean over its last {@value #RECENT} predictions.
 */
public final class Calibration {
    /** The number of recent predictions that count: queues change within weeks, and a user submits about ten jobs a day. */
    public static final int RECENT = 20;

    /** The minimum number of predictions to replace a more trusted estimator. */
    public static final int ENOUGH = 3;

    private static final double MINUTE = 60_000;
    private static final double SECONDS = 5_000;

    private final Map<String, List<Double>> losses = new HashMap<>();

    /** Records a predicted and an actual wait in milliseconds, in the order of job starts. */
    public void add(String estimator, long predicted, long actual) {
        losses.computeIfAbsent(estimator, name -> new ArrayList<>()).add(loss(predicted, actual));
    }

    /** The loss of a prediction: 0 if it was correct within a few seconds. */
    public static double loss(long predicted, long actual) {
        double p = Math.max(0, predicted);
        double a = Math.max(0, actual);
        return Math.max(0, Math.abs(p - a) - SECONDS) / (p + a + MINUTE);
    }

    /** The number of recorded predictions of an estimator. */
    public int count(String estimator) {
        return losses.getOrDefault(estimator, List.of()).size();
    }

    /** The mean loss of the recent predictions; NaN if there are none. */
    public double recentLoss(String estimator) {
        List<Double> all = losses.getOrDefault(estimator, List.of());
        return all.subList(Math.max(0, all.size() - RECENT), all.size()).stream()
                .mapToDouble(Double::doubleValue)
                .average()
                .orElse(Double.NaN);
    }

    /** The estimator with the least recent loss. The first one, which is trusted most, is replaced only after enough predictions. */
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
