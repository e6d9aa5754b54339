package io.sheaf.predict;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long tasks run, from attempts of tasks of the same category that have succeeded.
 *
 * <h2>Which attempts count</h2>
 * The latest of the same category on as many cores, if there are some; else those of the category on any number of cores. Attempts that failed or were cut off say little and are left out.
 *
 * <h2>Input size</h2>
 * Two models are kept: that a task takes as long as earlier ones did, and that it takes as long <em>per byte of its inputs</em>. Before each attempt is learnt from, both are asked
 * for it; the sizes count once that model was clearly less wrong over the latest attempts. Wrong by how much is the logarithm of told / taken, so that twice and half as
 * long count alike.
 *
 * <h2>Quantiles</h2>
 * By rank. Of few attempts a high quantile cannot be told: it is then the longest one and a share of one over their number more, twice as much of a single one.
 */
public final class TaskHistory {
    private static final int KEPT = 200;
    private static final int OF_CORES = 3;
    private static final int JUDGED = 50;
    private static final int LEAST_JUDGED = 5;
    private static final double CLEARLY = 0.9;
    private static final double MEDIAN = 0.5;

    /**
     * What is expected of a task, in milliseconds.
     *
     * @param median half of such tasks take longer
     * @param bound the quantile that was asked for takes no longer
     * @param attempts how many it rests on
     * @param bySize whether the size of its inputs was looked at
     */
    public record Expected(long median, long bound, int attempts, boolean bySize) {}

    private record Kind(String category, int cores) {}

    /** The latest attempts of a kind. */
    private static final class Attempts {
        final ArrayDeque<TaskRecord> latest = new ArrayDeque<>();
        final ArrayDeque<double[]> errors = new ArrayDeque<>();

        void add(TaskRecord one) {
            if (one.inputBytes() > 0 && sized() > 0) {
                errors.addLast(new double[] {
                    off(quantile(times(), MEDIAN), one.millis()),
                    off(quantile(perByte(), MEDIAN) * one.inputBytes(), one.millis())
                });
                if (errors.size() > JUDGED) {
                    errors.removeFirst();
                }
            }
            latest.addLast(one);
            if (latest.size() > KEPT) {
                latest.removeFirst();
            }
        }

        private static double off(double told, long taken) {
            return Math.abs(StrictMath.log((told + 1) / (taken + 1)));
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
            return errors.size() >= LEAST_JUDGED && bySize < CLEARLY * plain;
        }
    }

    private final Map<Kind, Attempts> byCores = new HashMap<>();
    private final Map<String, Attempts> byCategory = new HashMap<>();

    /** An attempt is over. */
    public void learn(TaskRecord one) {
        if (!one.failed()) {
            byCores.computeIfAbsent(new Kind(one.category(), one.cores()), each -> new Attempts())
                    .add(one);
            byCategory.computeIfAbsent(one.category(), each -> new Attempts()).add(one);
        }
    }

    /** Whether the sizes of inputs tell more than the category alone. */
    public boolean sizesHelp(String category, int cores) {
        Attempts some = of(category, cores);
        return some != null && some.sizesHelp();
    }

    private @Nullable Attempts of(String category, int cores) {
        Attempts some = byCores.get(new Kind(category, cores));
        return some == null || some.latest.size() < OF_CORES ? byCategory.get(category) : some;
    }

    /** What is expected of a task; null if none of its category was seen. */
    public @Nullable Expected expected(String category, int cores, long inputBytes, double quantile) {
        Attempts some = of(category, cores);
        if (some == null) {
            return null;
        }
        boolean bySize = inputBytes > 0 && some.sizesHelp();
        double[] sorted = bySize ? some.perByte() : some.times();
        double factor = bySize ? inputBytes : 1;
        long median = Math.max(1, Math.round(quantile(sorted, MEDIAN) * factor));
        return new Expected(
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
