package io.sheaf.app.replay;

import io.sheaf.sim.JobLog;
import io.sheaf.sim.ReplayResult;
import io.sheaf.sim.SizeClasses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Queue waits by job size: figures and a histogram for each size class with jobs. */
public final class WaitBySize {
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    /** The exclusive upper bounds of the bins; the last bin has none. */
    private static final long[] BELOW = {1000, MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY};

    public static final List<String> BINS =
            List.of("none", "< 1 min", "< 10 min", "< 1 h", "< 4 h", "< 12 h", "< 1 d", "< 2 d", "< 7 d", "≥ 7 d");

    /**
     * One size class.
     *
     * @param sizeClass its index among all classes
     * @param sizes its numbers of nodes, {@code 5-16}
     * @param workShare its share of the used node time
     * @param meanWait in milliseconds, like the other times
     * @param bins the number of jobs in each of {@link #BINS}
     */
    public record Row(
            int sizeClass,
            String sizes,
            int jobs,
            double workShare,
            double meanWait,
            long medianWait,
            long p95Wait,
            long longestWait,
            List<Integer> bins) {}

    private WaitBySize() {}

    /**
     * The classes with jobs, smallest first. Jobs submitted before {@code from}, or that never started, are excluded.
     */
    public static List<Row> of(ReplayResult replayed, int nodes, long from) {
        JobLog log = replayed.log();
        SizeClasses classes = new SizeClasses(nodes);
        double[] work = new double[classes.count()];
        LongStream.Builder[] waits = new LongStream.Builder[classes.count()];
        Arrays.setAll(waits, c -> LongStream.builder());
        double allWork = 0;
        for (int j = 0; j < log.size(); j++) {
            if (replayed.start(j) == ReplayResult.NEVER || log.submit(j) < from) {
                continue;
            }
            int c = classes.of(log.nodes(j));
            waits[c].add(replayed.start(j) - log.submit(j));
            double used = (double) (replayed.end(j) - replayed.start(j)) * log.nodes(j);
            work[c] += used;
            allWork += used;
        }
        List<Row> rows = new ArrayList<>();
        for (int c = 0; c < waits.length; c++) {
            long[] sorted = waits[c].build().sorted().toArray();
            if (sorted.length > 0) {
                rows.add(row(c, classes.name(c), sorted, allWork == 0 ? 0 : work[c] / allWork));
            }
        }
        return rows;
    }

    private static Row row(int sizeClass, String sizes, long[] sorted, double workShare) {
        double sum = 0;
        int[] bins = new int[BELOW.length + 1];
        for (long wait : sorted) {
            sum += wait;
            int bin = 0;
            while (bin < BELOW.length && wait >= BELOW[bin]) {
                bin++;
            }
            bins[bin]++;
        }
        int n = sorted.length;
        return new Row(
                sizeClass,
                sizes,
                n,
                workShare,
                sum / n,
                quantile(sorted, 0.5),
                quantile(sorted, 0.95),
                sorted[n - 1],
                Arrays.stream(bins).boxed().toList());
    }

    /** The smallest value that at least a share q of the values does not exceed. */
    private static long quantile(long[] sorted, double q) {
        return sorted[Math.max(0, (int) Math.ceil(q * sorted.length) - 1)];
    }
}
