package io.sheaf.sim.campaign;

import io.sheaf.sim.SimulatedRun;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Strategies side by side for one workflow, in means over all start times.
 *
 * <p>The improvement over a baseline is the mean over the starts of (Z − X) / Z, with Z the baseline's makespan and X the strategy's; one strategy
 * <em>beats</em> another if that is 5 % or more (GLUME thesis 7.1). The degradation from the best is the mean of (X − B) / B, with B the best makespan of
 * all strategies compared for that start, without hindsight. Means are over the runs that completed, those of two makespans over the starts at which both did. A run that could
 * not complete is counted as failed; beside one that could it is a loss. A mean over nothing is NaN.
 */
public final class StrategyComparison {
    private static final double PERCENT = 100;
    private static final double BEATS = 5;
    private static final double HOUR = 3_600_000;

    /**
     * The figures of one strategy.
     *
     * @param wins starts at which it ended before the baseline
     * @param losses starts at which it ended behind it
     * @param nodeHoursHeld of one run, in the mean
     * @param runs all of them, failed ones included
     */
    public record Row(
            String strategy,
            double meanMakespanSeconds,
            double meanImprovementPercent,
            double meanDegradationFromBestPercent,
            int wins,
            int losses,
            double nodeHoursHeld,
            double nodeHoursUsed,
            int runs,
            int failed) {
        public boolean beats() {
            return meanImprovementPercent >= BEATS;
        }

        /** Whether the baseline beats it. */
        public boolean isBeaten() {
            return meanImprovementPercent <= -BEATS;
        }
    }

    private final CampaignResults results;
    private final int workflow;
    private final int baseline;

    private StrategyComparison(CampaignResults results, int workflow, int baseline) {
        this.results = results;
        this.workflow = workflow;
        this.baseline = baseline;
    }

    /** A row for each strategy of the campaign, in its order; the baseline is one of them, by its place. */
    public static List<Row> of(CampaignResults results, int workflow, int baseline) {
        StrategyComparison comparison = new StrategyComparison(results, workflow, baseline);
        return IntStream.range(0, results.strategies().size())
                .mapToObj(comparison::row)
                .toList();
    }

    /** The mean over all starts of what no strategy can go below, in seconds. */
    public static double meanLowerBoundSeconds(CampaignResults results, int workflow) {
        Mean bound = new Mean();
        for (int start = 0; start < results.starts(); start++) {
            bound.add(results.lowerBoundMillis(workflow, start) / 1000.0);
        }
        return bound.value();
    }

    private Row row(int strategy) {
        Mean makespan = new Mean();
        Mean improvement = new Mean();
        Mean degradation = new Mean();
        Mean held = new Mean();
        Mean used = new Mean();
        int wins = 0;
        int losses = 0;
        int failed = 0;
        for (int start = 0; start < results.starts(); start++) {
            long x = results.makespanMillis(workflow, strategy, start);
            long z = results.makespanMillis(workflow, baseline, start);
            wins += x >= 0 && (z < 0 || x < z) ? 1 : 0;
            losses += z >= 0 && (x < 0 || x > z) ? 1 : 0;
            if (x < 0) {
                failed++;
                continue;
            }
            SimulatedRun run = results.run(workflow, strategy, start);
            makespan.add(x / 1000.0);
            held.add(run.allocatedNodeMillis() / HOUR);
            used.add(run.usedNodeMillis() / HOUR);
            degradation.add(difference(x, best(start)));
            if (z >= 0) {
                improvement.add(-difference(x, z));
            }
        }
        return new Row(
                results.strategies().get(strategy),
                makespan.value(),
                improvement.value(),
                degradation.value(),
                wins,
                losses,
                held.value(),
                used.value(),
                results.starts(),
                failed);
    }

    private long best(int start) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < results.strategies().size(); i++) {
            long makespan = results.makespanMillis(workflow, i, start);
            boolean counts =
                    makespan >= 0 && !Hindsight.isNamed(results.strategies().get(i));
            best = counts ? Math.min(best, makespan) : best;
        }
        return best;
    }

    /** By how many percent one makespan is longer than another. */
    private static double difference(long makespan, long reference) {
        return makespan == reference ? 0 : PERCENT * (makespan - reference) / Math.max(1, reference);
    }

    /** A mean; NaN of nothing. */
    private static final class Mean {
        private double sum;
        private int count;

        void add(double value) {
            sum += value;
            count++;
        }

        double value() {
            return count == 0 ? Double.NaN : sum / count;
        }
    }
}
