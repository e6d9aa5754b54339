package io.sheaf.lab.report;

import io.sheaf.lab.report.StrategyFigures.Measure;
import java.util.List;
import java.util.function.Predicate;

/**
 * The numbers of workflows on which a strategy is better or worse than the baseline.
 *
 * @param beats better by 5 % or more in the mean; {@code beaten} is the reverse. These are the cells of Table 7.1 of the GLUME thesis
 * @param beatsSurely with the whole interval of the mean; {@code beatsPerhaps} with a part of it
 * @param better in the mean by any amount
 * @param gainWhereBetter the mean improvement over those workflows, in percent
 */
record WinCounts(
        int beats,
        int beaten,
        int beatsSurely,
        int beatsPerhaps,
        int beatenSurely,
        int beatenPerhaps,
        int better,
        int worse,
        double gainWhereBetter) {
    /** The improvement in percent from which on the GLUME thesis speaks of beating. */
    private static final double BEATS = 5;

    /** Over the figures of each workflow. */
    static WinCounts of(List<StrategyFigures> workflows) {
        double[] gains = workflows.stream()
                .mapToDouble(f -> f.mean(Measure.IMPROVEMENT))
                .filter(improvement -> improvement > 0)
                .toArray();
        return new WinCounts(
                count(workflows, f -> f.mean(Measure.IMPROVEMENT) >= BEATS),
                count(workflows, f -> f.mean(Measure.IMPROVEMENT) <= -BEATS),
                count(workflows, f -> f.interval(Measure.IMPROVEMENT).low() >= BEATS),
                count(workflows, f -> f.interval(Measure.IMPROVEMENT).high() >= BEATS),
                count(workflows, f -> f.interval(Measure.IMPROVEMENT).high() <= -BEATS),
                count(workflows, f -> f.interval(Measure.IMPROVEMENT).low() <= -BEATS),
                gains.length,
                count(workflows, f -> f.mean(Measure.IMPROVEMENT) < 0),
                Samples.mean(gains));
    }

    private static int count(List<StrategyFigures> workflows, Predicate<StrategyFigures> condition) {
        return (int) workflows.stream().filter(condition).count();
    }

    String cell() {
        return beats + "/" + beaten;
    }
}
