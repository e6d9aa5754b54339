package io.sheaf.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sums over the runs of a strategy. */
final class RunTally {
    private static final double PERCENT = 100;
    private static final double HOUR = 3600;
    private static final double NEAR = 1;
    private static final double LEAST = 0.001;

    private final Runs table;
    private final References measures;
    private final Values makespans = new Values();
    private final Values improvements = new Values();
    private final Values differences = new Values();
    private final Values gains = new Values();
    private final Values fromBest = new Values();
    private final Values waits = new Values();
    private final Values relativeWaits = new Values();
    private final Values held = new Values();
    private final Values algorithms = new Values();
    private final Values background = new Values();
    private final Values submitted = new Values();
    private final Values cancelled = new Values();
    private final Values givenBack = new Values();
    private final Values idle = new Values();
    private int mostSubmitted;
    private final double[] starts = new double[5];
    private final List<Long> numbers = new ArrayList<>();
    private long bestRun;
    private long worstRun;
    private double mostGained = Double.NEGATIVE_INFINITY;
    private double leastGained = Double.POSITIVE_INFINITY;
    private int runs;
    private int failed;
    private int wins;
    private int losses;
    private int ahead;
    private int near;
    private int oneJob;
    private int individual;
    private int fallback;

    RunTally(Runs table, References measures) {
        this.table = table;
        this.measures = measures;
    }

    /** A list of values without NaN. */
    private static final class Values {
        private final List<Double> all = new ArrayList<>();
        private final List<String> blocks = new ArrayList<>();

        void add(double value) {
            add(value, "");
        }

        /** Values of one block depend on each other. */
        void add(double value, String block) {
            if (!Double.isNaN(value)) {
                all.add(value);
                blocks.add(block);
            }
        }

        Samples.Interval interval(String purpose) {
            return Samples.bootstrap(array(), blocks, purpose);
        }

        double[] array() {
            return all.stream().mapToDouble(Double::doubleValue).toArray();
        }

        double mean() {
            return Samples.mean(array());
        }
    }

    /** Adds a run, with the run of the baseline and all runs of its item. */
    void add(Runs.Run run, Runs.@Nullable Run baseline, Map<String, Runs.Run> item) {
        runs++;
        double jobs = table.number(run, "jobs");
        oneJob += jobs == 1 ? 1 : 0;
        individual += jobs >= table.number(run, "tasks") && jobs > 1 ? 1 : 0;
        fallback += jobs > table.number(run, "levels") ? 1 : 0;
        boolean other = baseline != null && baseline.completed();
        if (!run.completed()) {
            failed++;
            losses += other ? 1 : 0;
            return;
        }
        makespans.add(run.makespan(), table.week(run));
        numbers.add(Long.parseLong(table.text(run, "run")));
        double degradation = PERCENT * (run.makespan() - measures.best(item)) / Math.max(measures.best(item), LEAST);
        fromBest.add(degradation);
        ahead += degradation < 0 ? 1 : 0;
        near += degradation <= NEAR ? 1 : 0;
        double running = measures.runningSeconds(table, run, item);
        waits.add(run.makespan() - running);
        relativeWaits.add((run.makespan() - running) / Math.max(running, LEAST));
        held.add(table.number(run, "held_node_seconds") / HOUR);
        submitted.add(jobs);
        mostSubmitted = Math.max(mostSubmitted, Double.isNaN(jobs) ? 0 : (int) jobs);
        cancelled.add(table.number(run, "cancelled_queued"));
        givenBack.add(table.number(run, "given_back_node_seconds") / HOUR);
        idle.add((table.number(run, "held_node_seconds") - table.number(run, "used_node_seconds")) / HOUR);
        background.add(table.number(run, "background_wait_delta_seconds"));
        algorithms.add(table.number(run, "algorithms_used"));
        addStarts(run);
        compare(run, other ? Objects.requireNonNull(baseline).makespan() : Double.NaN);
        wins += baseline != null && !other ? 1 : 0;
    }

    private void addStarts(Runs.Run run) {
        List<String> columns = List.of(
                "foreseen_jobs",
                "foreseen_wait_seconds",
                "foreseen_actual_seconds",
                "start_error_seconds",
                "on_time_jobs");
        if (table.number(run, "foreseen_jobs") > 0) {
            for (int i = 0; i < starts.length; i++) {
                starts[i] += table.number(run, columns.get(i));
            }
        }
    }

    private void compare(Runs.Run run, double z) {
        double x = run.makespan();
        double improvement = PERCENT * (z - x) / Math.max(z, LEAST);
        improvements.add(improvement, table.week(run));
        differences.add(x - z);
        losses += x > z ? 1 : 0;
        if (x < z) {
            wins++;
            gains.add(improvement);
        }
        // The improvement of the baseline is always 0: its best run is the shortest.
        double gained = x == z || Double.isNaN(z) ? -x : improvement;
        if (gained > mostGained) {
            mostGained = gained;
            bestRun = numbers.get(numbers.size() - 1);
        }
        if (gained < leastGained) {
            leastGained = gained;
            worstRun = numbers.get(numbers.size() - 1);
        }
    }

    StrategyFigures figures(String strategy, String purpose) {
        double all = Math.max(1, runs);
        return new StrategyFigures(
                strategy,
                runs,
                failed,
                makespans.mean(),
                makespans.interval(purpose),
                improvements.mean(),
                improvements.interval(purpose),
                StudentT.pairedP(differences.array()),
                wins,
                losses,
                gains.mean(),
                new StrategyFigures.Best(fromBest.mean(), ahead, near),
                waits.mean(),
                relativeWaits.mean(),
                held.mean(),
                new StrategyFigures.Shares(oneJob / all, individual / all, fallback / all),
                startAccuracy(),
                algorithms.mean(),
                new StrategyFigures.Manners(
                        submitted.mean(),
                        mostSubmitted,
                        cancelled.mean(),
                        givenBack.mean(),
                        idle.mean(),
                        background.mean()),
                new StrategyFigures.Examples(typical(), bestRun, worstRun));
    }

    private StrategyFigures.StartAccuracy startAccuracy() {
        double jobs = starts[0];
        return jobs == 0
                ? new StrategyFigures.StartAccuracy(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN)
                : new StrategyFigures.StartAccuracy(
                        jobs, starts[1] / jobs, starts[2] / jobs, starts[3] / jobs, starts[4] / jobs);
    }

    private long typical() {
        double mean = makespans.mean();
        long nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < numbers.size(); i++) {
            double distance = Math.abs(makespans.all.get(i) - mean);
            if (distance < least) {
                least = distance;
                nearest = numbers.get(i);
            }
        }
        return nearest;
    }
}
