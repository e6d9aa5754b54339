package io.sheaf.strategy;

import io.sheaf.manager.View;
import io.sheaf.predict.ExpectedRunTimes;
import io.sheaf.predict.RunTimeDistribution;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is believed at one instant about the run times that are not known: a {@linkplain RunTimeDistribution distribution} for each category of tasks.
 *
 * <p>The prior of a category comes from its own known times, else from those of the other categories, else from none. Tasks of the category that are running or
 * were cut off show that its times are longer. Times are milliseconds.
 */
final class TimeGuesses {
    /** The weight of the general prior against one category with known times. */
    private static final double PRIOR_WEIGHT = 2;

    /** The standard deviation of logarithms within a category, and between categories of one workflow. */
    private static final double WITHIN = 0.7;

    private static final double BETWEEN = 3;
    private static final long MICROS = 1_000;

    /** The categories of a workflow's tasks, with the mean logarithm of their known times; a task without one belongs to that of its program. */
    static final class Kinds {
        final int[] kind;
        final int count;
        /** The tasks without a known time, ascending. */
        final int[] unknown;

        private final double[] logs;
        private final int[] known;
        private final int measured;
        /** The median of categories without known times. */
        private final double defaultMedian;

        Kinds(Workflow workflow) {
            Map<String, Integer> numbers = new HashMap<>();
            kind = new int[workflow.size()];
            for (int task = 0; task < kind.length; task++) {
                Integer number = numbers.putIfAbsent(ExpectedRunTimes.category(workflow, task), numbers.size());
                kind[task] = number == null ? numbers.size() - 1 : number;
            }
            count = numbers.size();
            logs = new double[count];
            known = new int[count];
            unknown = IntStream.range(0, kind.length)
                    .filter(task -> !isKnown(workflow, task))
                    .toArray();
            for (int task = 0; task < kind.length; task++) {
                if (isKnown(workflow, task)) {
                    logs[kind[task]] += StrictMath.log((double) Math.max(MICROS, workflow.timeMillis(task)));
                    known[kind[task]]++;
                }
            }
            double sum = PRIOR_WEIGHT * StrictMath.log(RunTimeDistribution.MEDIAN);
            int measuredKinds = 0;
            for (int i = 0; i < count; i++) {
                sum += known[i] == 0 ? 0 : logs[i] / known[i];
                measuredKinds += known[i] == 0 ? 0 : 1;
            }
            measured = measuredKinds;
            defaultMedian = StrictMath.exp(sum / (PRIOR_WEIGHT + measured));
        }

        private RunTimeDistribution belief(int number, long longerThan, long atMost) {
            double median = known[number] == 0 ? defaultMedian : StrictMath.exp(logs[number] / known[number]);
            double spread = known[number] > 0 ? WITHIN : measured > 0 ? BETWEEN : RunTimeDistribution.SPREAD;
            return new RunTimeDistribution(median, spread, longerThan, atMost);
        }
    }

    private final View view;
    private final Workflow workflow;
    private final Kinds kinds;
    private final long[] longerThan;
    /** By category; -1 if all its times are known. */
    private final long[] atMost;

    /** By category; null until it is needed. */
    private final @Nullable RunTimeDistribution[] distributions;
    /** The belief of all categories without an observation or a limit; null until it is needed. */
    private @Nullable RunTimeDistribution unmeasured;

    TimeGuesses(View view, Kinds kinds) {
        this.view = view;
        this.workflow = view.workflow();
        this.kinds = kinds;
        distributions = new @Nullable RunTimeDistribution[kinds.count];
        longerThan = new long[kinds.count];
        atMost = new long[kinds.count];
        Arrays.fill(atMost, -1);
        long possible = possible();
        for (int task : kinds.unknown) {
            int kind = kinds.kind[task];
            long limit = workflow.limitMicros(task);
            atMost[kind] =
                    Math.max(atMost[kind], limit == Workflow.UNKNOWN ? possible : Math.min(possible, limit / MICROS));
            longerThan[kind] = Math.max(longerThan[kind], view.atLeast(task) / 2);
            if (view.isRunning(task)) {
                longerThan[kind] = Math.max(longerThan[kind], view.now() - view.startedAt(task));
            }
        }
    }

    /** The longest run time that a job can have; a tenth is left for the margin of its request. */
    private long possible() {
        return view.walltime() == Long.MAX_VALUE ? Long.MAX_VALUE : view.walltime() - view.walltime() / 10;
    }

    static boolean isKnown(Workflow workflow, int task) {
        return workflow.timeMicros(task) != Workflow.UNKNOWN;
    }

    /** What is believed about the run time of a task. */
    RunTimeDistribution distribution(int task) {
        return ofKind(kinds.kind[task]);
    }

    private RunTimeDistribution ofKind(int kind) {
        RunTimeDistribution distribution = distributions[kind];
        if (distribution == null) {
            distribution = create(kind);
            distributions[kind] = distribution;
        }
        return distribution;
    }

    private RunTimeDistribution create(int kind) {
        if (kinds.known[kind] > 0 || longerThan[kind] > 0 || atMost[kind] != possible()) {
            return kinds.belief(kind, longerThan[kind], atMost[kind]);
        }
        RunTimeDistribution shared = unmeasured;
        if (shared == null) {
            shared = kinds.belief(kind, 0, atMost[kind]);
            unmeasured = shared;
        }
        return shared;
    }

    /** The quantiles of all categories, 0 for those with known times only; equal ones give equal {@linkplain #workflow workflows}, apart from tasks that were cut off. */
    long[] quantiles(double probability) {
        return IntStream.range(0, kinds.count)
                .mapToLong(kind -> atMost[kind] < 0 ? 0 : ofKind(kind).quantile(probability))
                .toArray();
    }

    /** The workflow with a quantile for each unknown time; a task that was cut off has at least its next time. */
    Workflow workflow(double probability) {
        long[] micros = new long[kinds.unknown.length];
        long[] guessed = quantiles(probability);
        for (int i = 0; i < micros.length; i++) {
            int task = kinds.unknown[i];
            long limit = workflow.limitMicros(task);
            long guess = Math.max(guessed[kinds.kind[task]], Math.min(possible(), view.atLeast(task))) * MICROS;
            micros[i] = limit == Workflow.UNKNOWN ? guess : Math.min(limit, guess);
        }
        return workflow.timed(kinds.unknown, micros);
    }
}
