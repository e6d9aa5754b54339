package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Predicts run times of tasks from successful attempts of tasks of the same category.
 *
 * <h2>Which attempts count</h2>
 * The latest ones of the same category and number of cores, if there are any; else those of the category. Failed and cut-off attempts are ignored.
 *
 * <h2>Input size</h2>
 * There are two models: a constant run time, and a run time proportional to <em>the bytes of the inputs</em>. Each attempt first tests both models.
 * The size model is used when it had a clearly smaller error over the latest attempts. The error is the logarithm of predicted / actual.
 *
 * <h2>Quantiles</h2>
 * By rank. For few attempts a high quantile is extrapolated: the longest one plus a share of one over their number, which doubles a single one.
 */
public final class TaskHistory {
    private static final int KEPT = 200;
    private static final int OF_CORES = 3;
    private static final int JUDGED = 50;
    private static final int MIN_JUDGED = 5;
    private static final double CLEARLY = 0.9;
    private static final double MEDIAN = 0.5;

    /**
     * The predicted run time of a task, in milliseconds.
     *
     * @param median the median
     * @param bound the requested quantile
     * @param attempts the number of attempts that it is based on
     * @param bySize whether the size model was used
     */
    public record PredictedTime(long median, long bound, int attempts, boolean bySize) {}

    private record Kind(String category, int cores) {}

    /** The latest attempts of a category and number of cores. */
    private static final class RecentAttempts {
        final ArrayDeque<TaskRecord> latest = new ArrayDeque<>();
        final ArrayDeque<double[]> errors = new ArrayDeque<>();

        void add(TaskRecord record) {
            if (record.inputBytes() > 0 && sized() > 0) {
                errors.addLast(new double[] {
                    off(quantile(times(), MEDIAN), record.millis()),
                    off(quantile(perByte(), MEDIAN) * record.inputBytes(), record.millis())
                });
                if (errors.size() > JUDGED) {
                    errors.removeFirst();
                }
            }
            latest.addLast(record);
            if (latest.size() > KEPT) {
                latest.removeFirst();
            }
        }

        private static double off(double estimate, long actual) {
            return Math.abs(StrictMath.log((estimate + 1) / (actual + 1)));
        }

        int sized() {
            return (int) latest.stream().filter(each -> each.inputBytes() > 0).count();
        }

        double[] times() {
            return latest.stream().mapToDouble(TaskRecord::millis).sorted().toArray();
        }

        double[] perByte() {
            return latest.stream()
                    .filter(each -> each.inputBytes() > 0)
                    .mapToDouble(each -> each.millis() / (double) each.inputBytes())
                    .sorted()
                    .toArray();
        }

        boolean sizesHelp() {
            double plain = errors.stream().mapToDouble(each -> each[0]).sum();
            double bySize = errors.stream().mapToDouble(each -> each[1]).sum();
            return errors.size() >= MIN_JUDGED && bySize < CLEARLY * plain;
        }
    }

    private final Map<Kind, RecentAttempts> byCores = new HashMap<>();
    private final Map<String, RecentAttempts> byCategory = new HashMap<>();

    public void learn(TaskRecord record) {
        if (!record.failed()) {
            byCores.computeIfAbsent(new Kind(record.category(), record.cores()), each -> new RecentAttempts())
                    .add(record);
            byCategory
                    .computeIfAbsent(record.category(), each -> new RecentAttempts())
                    .add(record);
        }
    }

    /** Whether the size model is more accurate than the category alone. */
    public boolean sizesHelp(String category, int cores) {
        RecentAttempts attempts = of(category, cores);
        return attempts != null && attempts.sizesHelp();
    }

    private @Nullable RecentAttempts of(String category, int cores) {
        RecentAttempts attempts = byCores.get(new Kind(category, cores));
        return attempts == null || attempts.latest.size() < OF_CORES ? byCategory.get(category) : attempts;
    }

    /** The prediction for a task; null without attempts of its category. */
    public @Nullable PredictedTime expected(String category, int cores, long inputBytes, double quantile) {
        RecentAttempts attempts = of(category, cores);
        if (attempts == null) {
            return null;
        }
        boolean bySize = inputBytes > 0 && attempts.sizesHelp();
        double[] sorted = bySize ? attempts.perByte() : attempts.times();
        double factor = bySize ? inputBytes : 1;
        long median = Math.max(1, Math.round(quantile(sorted, MEDIAN) * factor));
        return new PredictedTime(
                median, Math.max(median, (long) Math.ceil(bound(sorted, quantile) * factor)), sorted.length, bySize);
    }

    private static double quantile(double[] sorted, double level) {
        double at = level * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(sorted.length - 1, below + 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    private static double bound(double[] sorted, double level) {
        int n = sorted.length;
        int rank = (int) Math.ceil(level * (n + 1));
        return rank <= n ? sorted[Math.max(1, rank) - 1] : sorted[n - 1] * (1 + 1.0 / n);
    }
}
