package io.sheaf.lab.report;

import java.util.List;

/**
 * On how many workflows a strategy stands how to the baseline.
 *
 * @param beats by 5 % or more in the mean, and {@code beaten} the other way round: the cells of Table 7.1 of the GLUME thesis
 * @param beatsSurely where all of the interval of the mean is on that side, {@code beatsPerhaps} where any of it is
 * @param better by anything in the mean
 * @param gainWhereBetter mean over those workflows of the mean improvement, in percent
 */
record Counts(
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
    static Counts of(List<Figures> workflows) {
        double[] gains = workflows.stream()
                .mapToDouble(Figures::improvement)
                .filter(improvement -> improvement > 0)
                .toArray();
        return new Counts(
                (int) workflows.stream().filter(Figures::beats).count(),
                (int) workflows.stream().filter(Figures::isBeaten).count(),
                (int) workflows.stream().filter(Figures::surelyBeats).count(),
                (int) workflows.stream().filter(Figures::perhapsBeats).count(),
                (int) workflows.stream().filter(Figures::isSurelyBeaten).count(),
                (int) workflows.stream().filter(Figures::isPerhapsBeaten).count(),
                gains.length,
                (int) workflows.stream().filter(each -> each.improvement() < 0).count(),
                Samples.mean(gains));
    }

    String cell() {
        return beats + "/" + beaten;
    }
}
