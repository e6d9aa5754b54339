package io.sheaf.app.history;

import io.sheaf.text.Rounded;
import java.util.List;

/**
 * The errors of predicted job starts, in milliseconds.
 *
 * @param source the estimator
 * @param jobs the number of started jobs with a prediction
 * @param median the median absolute error
 * @param mean the mean error; positive if jobs started later than predicted
 * @param worst the largest error
 */
public record StartFigures(String source, int jobs, long median, long mean, long worst) {
    /** Computes the figures from errors: actual minus predicted. */
    public static StartFigures of(String source, List<Long> errors) {
        long[] distances = errors.stream().mapToLong(Math::abs).sorted().toArray();
        return new StartFigures(
                source,
                distances.length,
                distances.length == 0 ? 0 : distances[(distances.length - 1) / 2],
                Math.round(errors.stream().mapToLong(Long::longValue).average().orElse(0)),
                distances.length == 0 ? 0 : distances[distances.length - 1]);
    }

    /** The mean error for display: {@code 4.2 s later}, {@code 0.0 s}. */
    String meanText() {
        return Rounded.sign(mean) == 0 ? Rounded.time(Math.abs(mean)) : Rounded.later(mean);
    }
}
