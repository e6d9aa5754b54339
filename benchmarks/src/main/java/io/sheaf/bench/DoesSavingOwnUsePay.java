package io.sheaf.bench;

import io.sheaf.batch.Policy;
import io.sheaf.batch.QueueOrder;
import io.sheaf.manager.DecisionSink;
import io.sheaf.random.RandomStream;
import io.sheaf.sim.SimulatedQueue;
import io.sheaf.sim.SimulatedRun;
import io.sheaf.sim.SimulationSetup;
import io.sheaf.sim.WorkflowSimulation;
import io.sheaf.strategy.Profile;
import io.sheaf.strategy.RunTimes;
import io.sheaf.strategy.Strategies;
import io.sheaf.workflow.Resources;
import io.sheaf.workflow.Workflow;
import io.sheaf.workflow.WorkflowBuilder;
import io.sheaf.workflow.generate.Families;
import io.sheaf.workflow.generate.Recipe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Does it pay to use fewer node-hours under fair share? Five runs in a row by each strategy, on a log with multifactor priority (EASY), where the use of
 * a run lowers the priority of the next.
 *
 * <p>Arguments: the log, {@code bag} (300 tasks, 600 h) or a family of workflows (250 tasks, 500 h), the day of the first start, days between starts,
 * the number of starts, strategies. Each is compared with the first one: geometric mean of ratios, with a 95 % bootstrap interval over starts.
 */
public final class DoesSavingOwnUsePay {
    private static final long HOUR = 3_600_000;
    private static final long DAY = 24 * HOUR;
    private static final long PAUSE = 60_000;
    private static final int RUNS = 5;
    private static final int DRAWS = 5_000;

    private DoesSavingOwnUsePay() {}

    /** The makespans of the runs in a row, and their node-hours. */
    private record Row(double hours, double firstHours, double nodeHours) {}

    public static void main(String[] args) {
        Logs log = Logs.valueOf(args[0]);
        int first = Integer.parseInt(args[2]);
        int every = Integer.parseInt(args[3]);
        int count = Integer.parseInt(args[4]);
        List<String> strategies = List.of(args).subList(5, args.length);
        Policy policy = Policy.easy().withOrder(QueueOrder.parse("multifactor"));
        SimulatedQueue queue = new SimulatedQueue(log.read(), policy, log.nodes);
        long origin = queue.next();
        List<List<Row>> rows = new ArrayList<>();
        for (int start = 0; start < count; start++) {
            // At different hours of the day.
            long at = origin + (first + (long) start * every) * DAY + start * 7 % 24 * HOUR;
            queue.advanceTo(at - 1);
            List<Row> row = new ArrayList<>();
            for (String strategy : strategies) {
                row.add(row(queue.fork(), at, args[1], 100 * start, strategy));
                Row last = row.get(row.size() - 1);
                Measure.print(
                        "day %d, %s: makespans %.1f h, first %.1f h, %.0f node-hours",
                        (at - origin) / DAY, strategy, last.hours, last.firstHours, last.nodeHours);
            }
            rows.add(row);
        }
        for (int i = 1; i < strategies.size(); i++) {
            int other = i;
            Measure.print(
                    "%s against %s: makespans %s, first run %s, node-hours %s",
                    strategies.get(i),
                    strategies.get(0),
                    change(rows, row -> Math.log(row.get(other).hours / row.get(0).hours)),
                    change(rows, row -> Math.log(row.get(other).firstHours / row.get(0).firstHours)),
                    change(rows, row -> Math.log(row.get(other).nodeHours / row.get(0).nodeHours)));
        }
    }

    private static Row row(SimulatedQueue queue, long at, String shape, int seed, String strategy) {
        long start = at;
        long makespans = 0;
        long firstMakespan = 0;
        long nodeMillis = 0;
        for (int i = 0; i < RUNS; i++) {
            Workflow workflow = workflow(shape, seed + i);
            RunTimes times = new RunTimes(workflow, Profile.OWN.planOrder(), 1);
            SimulatedRun run = WorkflowSimulation.run(
                    queue,
                    start,
                    workflow,
                    Strategies.named(strategy, times, Profile.OWN),
                    SimulationSetup.of(Profile.OWN, Resources.node(1), 16),
                    DecisionSink.NOTHING);
            if (!run.completed()) {
                throw new IllegalStateException(run.reason());
            }
            makespans += run.makespanMillis();
            firstMakespan = i == 0 ? run.makespanMillis() : firstMakespan;
            nodeMillis += run.allocatedNodeMillis();
            start = Math.max(run.end(), queue.now()) + PAUSE;
            queue.advanceTo(start - 1);
        }
        return new Row(makespans / (double) HOUR, firstMakespan / (double) HOUR, nodeMillis / (double) HOUR);
    }

    private static Workflow workflow(String shape, int seed) {
        if (!shape.equals("bag")) {
            return Families.named(shape).generate(Recipe.of(250, 500 * HOUR * 1000, seed));
        }
        RandomStream random = new RandomStream(seed);
        double[] times = new double[300];
        Arrays.setAll(times, i -> random.uniform(0.5, 1.5));
        double sum = Arrays.stream(times).sum();
        WorkflowBuilder builder = new WorkflowBuilder("bag");
        for (int i = 0; i < times.length; i++) {
            builder.time(builder.task("t" + i), Math.round(600 * HOUR * 1000.0 * times[i] / sum));
        }
        return builder.build();
    }

    /** The change of a ratio of one strategy to the first, which is a logarithm for each start. */
    private static String change(List<List<Row>> rows, ToDoubleFunction<List<Row>> ratio) {
        double[] values = rows.stream().mapToDouble(ratio).toArray();
        RandomStream random = new RandomStream(1);
        double[] means = new double[DRAWS];
        Arrays.setAll(means, i -> {
            double sum = 0;
            for (int j = 0; j < values.length; j++) {
                sum += values[random.nextInt(values.length)];
            }
            return sum / values.length;
        });
        Arrays.sort(means);
        return String.format(
                Locale.ROOT,
                "%.1f %% [%.1f, %.1f]",
                percent(Arrays.stream(values).average().orElse(0)),
                percent(means[DRAWS / 40]),
                percent(means[DRAWS - 1 - DRAWS / 40]));
    }

    private static double percent(double logarithm) {
        return 100 * (StrictMath.exp(logarithm) - 1);
    }
}
