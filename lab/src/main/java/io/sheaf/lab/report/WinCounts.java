package io.sheaf.lab.report;

import io.sheaf.lab.report.StrategyFigures.Measure;
import java.util.List;

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
    /** Over the figures of each workflow. */
    static WinCounts of(List<StrategyFigures> workflows) {
        double[] gains = workflows.stream()
                .mapToDouble(f -> f.mean(Measure.IMPROVEMENT))
                .filter(improvement -> improvement > 0)
                .toArray();
        return new WinCounts(
                (int) workflows.stream().filter(StrategyFigures::beats).count(),
                (int) workflows.stream().filter(StrategyFigures::isBeaten).count(),
                (int) workflows.stream().filter(StrategyFigures::surelyBeats).count(),
                (int) workflows.stream().filter(StrategyFigures::perhapsBeats).count(),
                (int) workflows.stream().filter(StrategyFigures::isSurelyBeaten).count(),
                (int) workflows.stream()
                        .filter(StrategyFigures::isPerhapsBeaten)
                        .count(),
                gains.length,
                (int) workflows.stream()
                        .filter(each -> each.mean(Measure.IMPROVEMENT) < 0)
                        .count(),
                Samples.mean(gains));
    }

    String cell() {
        return beats + "/" + beaten;
    }
}
