package io.sheaf.app.history;

import java.util.List;

/**
 * How far predicted starts of jobs were from the actual ones, in milliseconds.
 *
 * @param by who predicted
 * @param jobs that started and of which a start was predicted
 * @param median of how far off they were
 * @param mean positive if they started later than predicted
 * @param worst the farthest off
 */
public record StartFigures(String by, int jobs, long median, long mean, long worst) {
    /** From errors: actual minus predicted. */
    public static StartFigures of(String by, List<Long> errors) {
        long[] far = errors.stream().mapToLong(Math::abs).sorted().toArray();
        return new StartFigures(
                by,
                far.length,
                far.length == 0 ? 0 : far[(far.length - 1) / 2],
                Math.round(errors.stream().mapToLong(Long::longValue).average().orElse(0)),
                far.length == 0 ? 0 : far[far.length - 1]);
    }
}
