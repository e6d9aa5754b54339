package io.sheaf.lab.report;

import io.sheaf.lab.report.Samples.Interval;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The figures of one strategy over some items, compared with a baseline.
 *
 * <p>The improvement of an item is (Z − X) / Z, with Z the makespan of the baseline and X that of the strategy; means are over the items that both completed. A failed
 * run loses to a completed one. A mean over no items is NaN.
 *
 * @param p of the two-tailed paired t-test on the makespans
 * @param wins the number of items with a shorter makespan than the baseline
 * @param gainOfWins the mean improvement over those items, in percent
 * @param best the comparison with the best strategy
 * @param waitSeconds the mean time without a running pilot job; or the mean excess of the makespan over the running time of a named strategy
 * @param relativeWait the mean of that time divided by the rest of the makespan
 * @param shares of runs, by the number of submitted jobs
 * @param starts the accuracy of start-time estimates
 * @param algorithmsUsed the mean number of algorithms that a portfolio used
 * @param manners the load that the strategy puts on the batch system and on other users
 */
record StrategyFigures(
        String strategy,
        int runs,
        int failed,
        double makespanSeconds,
        Interval makespanInterval,
        double improvement,
        Interval improvementInterval,
        double p,
        int wins,
        int losses,
        double gainOfWins,
        Best best,
        double waitSeconds,
        double relativeWait,
        double nodeHoursHeld,
        Shares shares,
        StartAccuracy starts,
        double algorithmsUsed,
        Manners manners,
        Examples examples) {
    private static final double BEATS = 5;

    /**
     * The comparison with the best makespan of each item.
     *
     * @param degradation mean of (X − B) / B in percent, with B the best makespan
     * @param ahead the number of items with a shorter makespan than B
     * @param near the number of items within 1 % of B, or shorter
     */
    record Best(double degradation, int ahead, int near) {}

    /**
     * Shares of runs by the number of submitted jobs.
     *
     * @param oneJob one job
     * @param individual at least one job per task
     * @param fallback more jobs than levels: at some time one job per task
     */
    record Shares(double oneJob, double individual, double fallback) {}

    /**
     * The load on the batch system and on other users; means over runs, NaN if not recorded.
     *
     * @param submitted jobs submitted
     * @param mostSubmitted the maximum of a run
     * @param cancelledQueued jobs cancelled before they started
     * @param givenBackNodeHours node-hours of started jobs between their end and their walltime
     * @param idleNodeHours node-hours allocated and not used
     * @param backgroundWaitSeconds the additional queue wait of background jobs
     */
    record Manners(
            double submitted,
            int mostSubmitted,
            double cancelledQueued,
            double givenBackNodeHours,
            double idleNodeHours,
            double backgroundWaitSeconds) {}

    /**
     * The accuracy of start-time estimates at submission; means over pilot jobs.
     *
     * @param waitSeconds the expected queue wait
     * @param actualSeconds the actual queue wait
     * @param errorSeconds the absolute difference
     * @param onTime the share of jobs that started within a twentieth of the expected wait, or a minute
     */
    record StartAccuracy(double jobs, double waitSeconds, double actualSeconds, double errorSeconds, double onTime) {}

    /** Run numbers: nearest to the mean makespan, best and worst improvement; 0 if no run completed. */
    record Examples(long typical, long best, long worst) {}

    /** Whether the mean improvement is 5 % or more, which the GLUME thesis calls beating. */
    boolean beats() {
        return improvement >= BEATS;
    }

    boolean isBeaten() {
        return improvement <= -BEATS;
    }

    /** Whether the whole interval of the mean improvement is at least 5 %. */
    boolean surelyBeats() {
        return improvementInterval.low() >= BEATS;
    }

    boolean perhapsBeats() {
        return improvementInterval.high() >= BEATS;
    }

    boolean isSurelyBeaten() {
        return improvementInterval.high() <= -BEATS;
    }

    boolean isPerhapsBeaten() {
        return improvementInterval.low() <= -BEATS;
    }

    /** The runs of each item by strategy. */
    static Map<Long, Map<String, Runs.Run>> items(Runs table, List<Runs.Run> runs) {
        Map<Long, Map<String, Runs.Run>> items = new LinkedHashMap<>();
        for (Runs.Run run : runs) {
            items.computeIfAbsent(run.item(), item -> new HashMap<>()).put(table.text(run, "strategy"), run);
        }
        return items;
    }

    /** The figures of a strategy. */
    static StrategyFigures of(
            Runs table,
            Map<Long, Map<String, Runs.Run>> items,
            String strategy,
            String baseline,
            References measures,
            String purpose) {
        RunTally tally = new RunTally(table, measures);
        for (Map<String, Runs.Run> item : items.values()) {
            Runs.Run run = item.get(strategy);
            if (run != null) {
                tally.add(run, item.get(baseline), item);
            }
        }
        return tally.figures(strategy, purpose + "/" + strategy);
    }
}
