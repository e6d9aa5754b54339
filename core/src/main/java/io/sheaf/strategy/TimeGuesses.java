package io.sheaf.strategy;

import io.sheaf.manager.View;
import io.sheaf.predict.RunTimeBelief;
import io.sheaf.predict.TimesInUse;
import io.sheaf.workflow.Workflow;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What is believed at one instant about the run times that are not known: a {@linkplain RunTimeBelief distribution} for each category of tasks.
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

    /** The categories of a workflow's tasks; a task without one belongs to that of its program. */
    static final class Kinds {
        final int[] kind;
        final int count;

        Kinds(Workflow workflow) {
            Map<String, Integer> numbers = new HashMap<>();
            kind = new int[workflow.size()];
            for (int task = 0; task < kind.length; task++) {
                Integer number = numbers.putIfAbsent(TimesInUse.category(workflow, task), numbers.size());
                kind[task] = number == null ? numbers.size() - 1 : number;
            }
            count = numbers.size();
        }
    }

    private final View view;
    private final Workflow workflow;
    private final Kinds kinds;
    private final RunTimeBelief[] beliefs;

    TimeGuesses(View view, Kinds kinds) {
        this.view = view;
        this.workflow = view.workflow();
        this.kinds = kinds;
        beliefs = beliefs();
    }

    private RunTimeBelief[] beliefs() {
        double[] logs = new double[kinds.count];
        int[] known = new int[kinds.count];
        long[] longerThan = new long[kinds.count];
        long[] atMost = new long[kinds.count];
        long possible = possible();
        for (int task = 0; task < workflow.size(); task++) {
            int kind = kinds.kind[task];
            if (isKnown(workflow, task)) {
                logs[kind] += StrictMath.log(Math.max(MICROS, TaskOrder.millis(workflow, task)));
                known[kind]++;
                continue;
            }
            long limit = workflow.limitMicros(task);
            atMost[kind] =
                    Math.max(atMost[kind], limit == Workflow.UNKNOWN ? possible : Math.min(possible, limit / MICROS));
            longerThan[kind] = Math.max(longerThan[kind], view.atLeast(task) / 2);
            if (view.isRunning(task)) {
                longerThan[kind] = Math.max(longerThan[kind], view.now() - view.startedAt(task));
            }
        }
        double sum = PRIOR_WEIGHT * StrictMath.log(RunTimeBelief.MEDIAN);
        int measured = 0;
        for (int kind = 0; kind < kinds.count; kind++) {
            sum += known[kind] == 0 ? 0 : logs[kind] / known[kind];
            measured += known[kind] == 0 ? 0 : 1;
        }
        double usual = StrictMath.exp(sum / (PRIOR_WEIGHT + measured));
        RunTimeBelief[] all = new RunTimeBelief[kinds.count];
        for (int kind = 0; kind < kinds.count; kind++) {
            double median = known[kind] == 0 ? usual : StrictMath.exp(logs[kind] / known[kind]);
            double spread = known[kind] > 0 ? WITHIN : measured > 0 ? BETWEEN : RunTimeBelief.SPREAD;
            all[kind] = new RunTimeBelief(median, spread, longerThan[kind], atMost[kind]);
        }
        return all;
    }

    /** The longest run time that a job can have; a tenth is left for the margin of its request. */
    private long possible() {
        return view.walltime() == Long.MAX_VALUE ? Long.MAX_VALUE : view.walltime() - view.walltime() / 10;
    }

    static boolean isKnown(Workflow workflow, int task) {
        return workflow.timeMicros(task) != Workflow.UNKNOWN;
    }

    /** What is believed about the run time of a task. */
    RunTimeBelief belief(int task) {
        return beliefs[kinds.kind[task]];
    }

    /** The quantiles of all categories; equal ones give equal {@linkplain #workflow workflows}, apart from tasks that were cut off. */
    long[] quantiles(double probability) {
        return Arrays.stream(beliefs)
                .mapToLong(each -> each.quantile(probability))
                .toArray();
    }

    /** The workflow with a quantile for each unknown time; a task that was cut off has at least its next time. */
    Workflow workflow(double probability) {
        int[] tasks = new int[workflow.size()];
        long[] micros = new long[workflow.size()];
        int count = 0;
        long[] guessed = quantiles(probability);
        for (int task = 0; task < workflow.size(); task++) {
            if (!isKnown(workflow, task)) {
                tasks[count] = task;
                long limit = workflow.limitMicros(task);
                long guess = Math.max(guessed[kinds.kind[task]], Math.min(possible(), view.atLeast(task))) * MICROS;
                micros[count++] = limit == Workflow.UNKNOWN ? guess : Math.min(limit, guess);
            }
        }
        return workflow.timed(Arrays.copyOf(tasks, count), Arrays.copyOf(micros, count));
    }
}
