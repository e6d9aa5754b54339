package io.sheaf.lab.report;

import io.sheaf.lab.report.Samples.Interval;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one strategy came to over some items, beside a baseline.
 *
 * <p>The improvement of an item is (Z − X) / Z, with Z the baseline's makespan and X the strategy's; means are over the items that both completed. A run that
 * could not complete is counted as failed, and lost to one that could. A mean over nothing is NaN.
 *
 * @param p of the two-tailed paired t-test on the makespans
 * @param wins items at which it ended before the baseline
 * @param gainOfWins mean improvement over those items, in percent
 * @param best how it stands to the best
 * @param waitSeconds time during which no job of ours ran, in the mean; or what the makespan is longer than the run of a named strategy
 * @param relativeWait mean of that time divided by the rest of the makespan
 * @param shares of runs, by the jobs that they submitted
 * @param algorithmsUsed by a portfolio, in the mean
 * @param othersWaitSeconds by how much longer others waited because of a run, in the mean over runs
 */
record Figures(
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
        Foreseen foreseen,
        double algorithmsUsed,
        double othersWaitSeconds,
        Examples examples) {
    private static final double BEATS = 5;

    /**
     * How a strategy stands to the best at each item, of all or of some.
     *
     * @param degradation mean of (X − B) / B in percent, with B the best makespan
     * @param ahead items at which it was better than all that are counted as the best
     * @param near items at which it was within 1 % of the best, or better
     */
    record Best(double degradation, int ahead, int near) {}

    /**
     * Shares of runs.
     *
     * @param oneJob submitted one job
     * @param individual as many jobs as there are tasks, or more
     * @param fallback more jobs than there are levels: at some time one job for each task
     */
    record Shares(double oneJob, double individual, double fallback) {}

    /**
     * How well starts of jobs were foreseen when they were submitted; means over jobs.
     *
     * @param errorSeconds of the differences, all counted as positive
     * @param onTime share of jobs that started within a twentieth of the wait foreseen, or a minute
     */
    record Foreseen(double jobs, double waitSeconds, double actualSeconds, double errorSeconds, double onTime) {}

    /** Numbers of runs to be looked at: nearest to the mean, best and worst against the baseline; 0 if none completed. */
    record Examples(long typical, long best, long worst) {}

    /** Whether it beats the baseline, as the GLUME thesis uses the word: by 5 % or more in the mean. */
    boolean beats() {
        return improvement >= BEATS;
    }

    boolean isBeaten() {
        return improvement <= -BEATS;
    }

    /** Whether it would beat the baseline wherever in its interval the mean lay. */
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
    static Figures of(
            Runs table,
            Map<Long, Map<String, Runs.Run>> items,
            String strategy,
            String baseline,
            Measures measures,
            String purpose) {
        Tally tally = new Tally(table, measures);
        for (Map<String, Runs.Run> item : items.values()) {
            Runs.Run run = item.get(strategy);
            if (run != null) {
                tally.add(run, item.get(baseline), item);
            }
        }
        return tally.figures(strategy, purpose + "/" + strategy);
    }
}
