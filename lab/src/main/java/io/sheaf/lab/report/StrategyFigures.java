package io.sheaf.lab.report;

import io.sheaf.lab.report.Samples.Interval;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one strategy over some items, compared with a baseline.
 *
 * <p>The improvement of an item is (Z − X) / Z, with Z the makespan of the baseline and X that of the strategy; means are over the items that both completed. A failed
 * run loses to a completed one. A mean over no items is NaN.
 */
final class StrategyFigures {
    private static final double PERCENT = 100;
    private static final double HOUR = 3600;
    private static final double NEAR = 1;
    private static final double MIN = 0.001;

    /** Figures with a value for each completed run, if recorded; times in seconds. */
    enum Measure {
        MAKESPAN,
        /** In percent. */
        IMPROVEMENT,
        /** The makespan minus that of the baseline. */
        DIFFERENCE,
        /** The improvement of the items with a shorter makespan than the baseline, in percent. */
        GAIN_OF_WINS,
        /** (X − B) / B in percent, with B the best makespan of the item. */
        FROM_BEST,
        /** The time without a running pilot job; or the excess of the makespan over the running time of a named strategy. */
        WAIT,
        /** That time divided by the rest of the makespan. */
        RELATIVE_WAIT,
        HELD_NODE_HOURS,
        /** The number of algorithms that a portfolio used. */
        ALGORITHMS_USED,
        JOBS,
        /** Jobs cancelled before they started. */
        CANCELLED_QUEUED,
        /** Node-hours of started jobs between their end and their walltime. */
        GIVEN_BACK_NODE_HOURS,
        /** Node-hours allocated and not used. */
        IDLE_NODE_HOURS,
        /** The additional queue wait of background jobs. */
        BACKGROUND_WAIT
    }

    /** Numbers of runs. */
    enum Count {
        RUNS,
        FAILED,
        /** With a shorter makespan than the baseline. */
        WINS,
        LOSSES,
        /** With a shorter makespan than the best. */
        AHEAD_OF_BEST,
        /** Within 1 % of the best, or shorter. */
        NEAR_BEST,
        ONE_JOB,
        /** With at least one job per task. */
        INDIVIDUAL,
        /** With more jobs than levels: at some time one job per task. */
        FALLBACK
    }

    /** The accuracy of start-time estimates at submission: sums over the pilot jobs of a run, by their columns. */
    enum StartAccuracy {
        JOBS("foreseen_jobs"),
        EXPECTED_WAIT("foreseen_wait_seconds"),
        ACTUAL_WAIT("foreseen_actual_seconds"),
        /** The absolute difference. */
        ERROR("start_error_seconds"),
        /** Jobs that started within a twentieth of the expected wait, or a minute. */
        ON_TIME("on_time_jobs");

        private final String column;

        StartAccuracy(String column) {
            this.column = column;
        }
    }

    /** Run numbers: nearest to the mean makespan, best and worst improvement; 0 if no run completed. */
    record Examples(long typical, long best, long worst) {}

    private final String strategy;
    private final String purpose;
    private final Runs table;
    private final References references;
    private final Map<Measure, List<Double>> values = new EnumMap<>(Measure.class);
    /** Values of one week of a log depend on each other. */
    private final Map<Measure, List<String>> weeks = new EnumMap<>(Measure.class);

    private final Map<Measure, Interval> intervals = new EnumMap<>(Measure.class);
    private final Map<Count, Integer> counts = new EnumMap<>(Count.class);
    private final Map<StartAccuracy, Double> starts = new EnumMap<>(StartAccuracy.class);
    private final List<Long> numbers = new ArrayList<>();
    private int maxJobs;
    private long bestRun;
    private long worstRun;
    private double maxGained = Double.NEGATIVE_INFINITY;
    private double minGained = Double.POSITIVE_INFINITY;

    private StrategyFigures(String strategy, String purpose, Runs table, References references) {
        this.strategy = strategy;
        this.purpose = purpose;
        this.table = table;
        this.references = references;
    }

    static Map<Long, Map<String, Runs.Run>> items(Runs table, List<Runs.Run> runs) {
        Map<Long, Map<String, Runs.Run>> items = new LinkedHashMap<>();
        for (Runs.Run run : runs) {
            items.computeIfAbsent(run.item(), item -> new HashMap<>()).put(table.text(run, "strategy"), run);
        }
        return items;
    }

    /**
     * The figures of a strategy.
     *
     * @param purpose the key of the random numbers of intervals, with the strategy
     */
    static StrategyFigures of(
            Runs table,
            Map<Long, Map<String, Runs.Run>> items,
            String strategy,
            String baseline,
            References references,
            String purpose) {
        StrategyFigures figures = new StrategyFigures(strategy, purpose + "/" + strategy, table, references);
        for (Map<String, Runs.Run> item : items.values()) {
            Runs.Run run = item.get(strategy);
            if (run != null) {
                figures.add(run, item.get(baseline), item);
            }
        }
        return figures;
    }

    private void add(Runs.Run run, Runs.@Nullable Run baseline, Map<String, Runs.Run> item) {
        double jobs = table.number(run, "jobs");
        count(Count.RUNS, true);
        count(Count.ONE_JOB, jobs == 1);
        count(Count.INDIVIDUAL, jobs >= table.number(run, "tasks") && jobs > 1);
        count(Count.FALLBACK, jobs > table.number(run, "levels"));
        boolean other = baseline != null && baseline.completed();
        if (!run.completed()) {
            count(Count.FAILED, true);
            count(Count.LOSSES, other);
            return;
        }
        add(Measure.MAKESPAN, run.makespan(), table.week(run));
        numbers.add(Long.parseLong(table.text(run, "run")));
        double best = references.best(item);
        double degradation = PERCENT * (run.makespan() - best) / Math.max(best, MIN);
        add(Measure.FROM_BEST, degradation);
        count(Count.AHEAD_OF_BEST, degradation < 0);
        count(Count.NEAR_BEST, degradation <= NEAR);
        double running = references.runningSeconds(table, run, item);
        add(Measure.WAIT, run.makespan() - running);
        add(Measure.RELATIVE_WAIT, (run.makespan() - running) / Math.max(running, MIN));
        double held = table.number(run, "held_node_seconds");
        add(Measure.HELD_NODE_HOURS, held / HOUR);
        add(Measure.IDLE_NODE_HOURS, (held - table.number(run, "used_node_seconds")) / HOUR);
        add(Measure.GIVEN_BACK_NODE_HOURS, table.number(run, "given_back_node_seconds") / HOUR);
        add(Measure.JOBS, jobs);
        maxJobs = Math.max(maxJobs, Double.isNaN(jobs) ? 0 : (int) jobs);
        add(Measure.CANCELLED_QUEUED, table.number(run, "cancelled_queued"));
        add(Measure.BACKGROUND_WAIT, table.number(run, "background_wait_delta_seconds"));
        add(Measure.ALGORITHMS_USED, table.number(run, "algorithms_used"));
        if (table.number(run, StartAccuracy.JOBS.column) > 0) {
            for (StartAccuracy each : StartAccuracy.values()) {
                starts.merge(each, table.number(run, each.column), Double::sum);
            }
        }
        compare(run, other ? Objects.requireNonNull(baseline).makespan() : Double.NaN);
        count(Count.WINS, baseline != null && !other);
    }

    private void compare(Runs.Run run, double z) {
        double x = run.makespan();
        double improvement = PERCENT * (z - x) / Math.max(z, MIN);
        add(Measure.IMPROVEMENT, improvement, table.week(run));
        add(Measure.DIFFERENCE, x - z);
        count(Count.LOSSES, x > z);
        count(Count.WINS, x < z);
        if (x < z) {
            add(Measure.GAIN_OF_WINS, improvement);
        }
        // The improvement of the baseline is always 0: its best run is the shortest.
        double gained = x == z || Double.isNaN(z) ? -x : improvement;
        if (gained > maxGained) {
            maxGained = gained;
            bestRun = numbers.get(numbers.size() - 1);
        }
        if (gained < minGained) {
            minGained = gained;
            worstRun = numbers.get(numbers.size() - 1);
        }
    }

    private void count(Count count, boolean holds) {
        counts.merge(count, holds ? 1 : 0, Integer::sum);
    }

    private void add(Measure measure, double value) {
        add(measure, value, "");
    }

    private void add(Measure measure, double value, String week) {
        if (!Double.isNaN(value)) {
            of(values, measure).add(value);
            of(weeks, measure).add(week);
        }
    }

    private static <T> List<T> of(Map<Measure, List<T>> all, Measure measure) {
        return all.computeIfAbsent(measure, each -> new ArrayList<>());
    }

    private double[] array(Measure measure) {
        return of(values, measure).stream().mapToDouble(Double::doubleValue).toArray();
    }

    String strategy() {
        return strategy;
    }

    int count(Count count) {
        return counts.getOrDefault(count, 0);
    }

    /** The share of all runs. */
    double share(Count count) {
        return count(count) / (double) Math.max(1, count(Count.RUNS));
    }

    double mean(Measure measure) {
        return Samples.mean(array(measure));
    }

    Interval interval(Measure measure) {
        return intervals.computeIfAbsent(measure, each -> Samples.bootstrap(array(each), of(weeks, each), purpose));
    }

    /** Of the two-tailed paired t-test on the makespans. */
    double p() {
        return StudentT.pairedP(array(Measure.DIFFERENCE));
    }

    /** The mean over pilot jobs with an estimate, and the number of these. */
    double start(StartAccuracy figure) {
        double jobs = starts.getOrDefault(StartAccuracy.JOBS, 0.0);
        return figure == StartAccuracy.JOBS ? jobs : jobs == 0 ? Double.NaN : starts.getOrDefault(figure, 0.0) / jobs;
    }

    /** The most jobs submitted by a run. */
    int maxJobs() {
        return maxJobs;
    }

    Examples examples() {
        double mean = mean(Measure.MAKESPAN);
        long typical = 0;
        double min = Double.POSITIVE_INFINITY;
        for (int i = 0; i < numbers.size(); i++) {
            double distance = Math.abs(of(values, Measure.MAKESPAN).get(i) - mean);
            if (distance < min) {
                min = distance;
                typical = numbers.get(i);
            }
        }
        return new Examples(typical, bestRun, worstRun);
    }
}
