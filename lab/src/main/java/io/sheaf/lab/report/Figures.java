package io.sheaf.lab.report;

import io.sheaf.lab.report.Samples.Interval;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one strategy came to over some items, beside a baseline.
 *
 * <p>The improvement of an item is (Z − X) / Z, with Z the baseline's makespan and X the strategy's; means are over the items that both completed. A run that
 * could not complete is counted as failed, and lost to one that could.
 *
 * @param p of the two-tailed paired t-test on the makespans
 * @param wins items at which it ended before the baseline
 * @param gainOfWins mean improvement over those items, in percent
 * @param fromBest mean over the items of (X − B) / B in percent, with B the best of all strategies there
 * @param waitSeconds time during which no job of ours ran, in the mean
 * @param relativeWait mean of that time divided by the rest of the makespan
 * @param oneJob share of runs that submitted one job
 * @param individual share of runs that submitted as many jobs as there are tasks, or more
 * @param typical the number of the completed run whose makespan is nearest to the mean; 0 if none completed
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
        double fromBest,
        double waitSeconds,
        double relativeWait,
        double nodeHoursHeld,
        double oneJob,
        double individual,
        long typical) {
    private static final double PERCENT = 100;
    private static final double HOUR = 3600;
    private static final double BEATS = 5;

    /** Whether it beats the baseline, as the GLUME thesis uses the word: by 5 % or more in the mean. */
    boolean beats() {
        return improvement >= BEATS;
    }

    boolean isBeaten() {
        return improvement <= -BEATS;
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
            Runs table, Map<Long, Map<String, Runs.Run>> items, String strategy, String baseline, String purpose) {
        Tally tally = new Tally();
        for (Map<String, Runs.Run> item : items.values()) {
            Runs.Run run = item.get(strategy);
            if (run != null) {
                tally.add(table, run, item.get(baseline), best(item));
            }
        }
        return tally.figures(strategy, purpose + "/" + strategy);
    }

    private static double best(Map<String, Runs.Run> item) {
        return item.values().stream()
                .filter(Runs.Run::completed)
                .mapToDouble(Runs.Run::makespan)
                .min()
                .orElse(Double.NaN);
    }

    /** Adds up items. */
    private static final class Tally {
        private final List<Double> makespans = new ArrayList<>();
        private final List<Long> numbers = new ArrayList<>();
        private final List<Double> improvements = new ArrayList<>();
        private final List<Double> differences = new ArrayList<>();
        private final List<Double> gains = new ArrayList<>();
        private final List<Double> fromBest = new ArrayList<>();
        private final List<Double> waits = new ArrayList<>();
        private final List<Double> relativeWaits = new ArrayList<>();
        private final List<Double> held = new ArrayList<>();
        private int runs;
        private int failed;
        private int wins;
        private int losses;
        private int oneJob;
        private int individual;

        void add(Runs table, Runs.Run run, Runs.@Nullable Run baseline, double best) {
            runs++;
            double jobs = table.number(run, "jobs");
            oneJob += jobs == 1 ? 1 : 0;
            individual += jobs >= table.number(run, "tasks") && jobs > 1 ? 1 : 0;
            boolean other = baseline != null && baseline.completed();
            if (!run.completed()) {
                failed++;
                losses += other ? 1 : 0;
                return;
            }
            makespans.add(run.makespan());
            numbers.add(Long.parseLong(table.text(run, "run")));
            fromBest.add(PERCENT * (run.makespan() - best) / Math.max(best, 0.001));
            double wait = table.number(run, "perceived_wait_seconds");
            waits.add(wait);
            relativeWaits.add(wait / Math.max(run.makespan() - wait, 0.001));
            held.add(table.number(run, "held_node_seconds") / HOUR);
            if (other) {
                compare(run.makespan(), Objects.requireNonNull(baseline).makespan());
            } else {
                wins += baseline == null ? 0 : 1;
            }
        }

        private void compare(double x, double z) {
            double improvement = PERCENT * (z - x) / Math.max(z, 0.001);
            improvements.add(improvement);
            differences.add(x - z);
            losses += x > z ? 1 : 0;
            if (x < z) {
                wins++;
                gains.add(improvement);
            }
        }

        Figures figures(String strategy, String purpose) {
            return new Figures(
                    strategy,
                    runs,
                    failed,
                    Samples.mean(array(makespans)),
                    Samples.bootstrap(array(makespans), purpose),
                    Samples.mean(array(improvements)),
                    Samples.bootstrap(array(improvements), purpose),
                    StudentT.pairedP(array(differences)),
                    wins,
                    losses,
                    Samples.mean(array(gains)),
                    Samples.mean(array(fromBest)),
                    Samples.mean(array(waits)),
                    Samples.mean(array(relativeWaits)),
                    Samples.mean(array(held)),
                    oneJob / (double) Math.max(1, runs),
                    individual / (double) Math.max(1, runs),
                    typical());
        }

        private long typical() {
            double mean = Samples.mean(array(makespans));
            long nearest = 0;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < numbers.size(); i++) {
                double distance = Math.abs(makespans.get(i) - mean);
                if (distance < least) {
                    least = distance;
                    nearest = numbers.get(i);
                }
            }
            return nearest;
        }

        private static double[] array(List<Double> values) {
            return values.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }
}
