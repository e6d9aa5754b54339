package io.sheaf.lab.report;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RowColumns;
import io.sheaf.lab.report.StrategyFigures.Count;
import io.sheaf.lab.report.StrategyFigures.Measure;
import io.sheaf.lab.report.StrategyFigures.StartAccuracy;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures of a report as rows of {@code summary.csv}. */
final class SummaryRows {
    private static final int PLACES = 4;

    private static final RowColumns<Row> COLUMNS = new RowColumns<Row>()
            .add("workflow", Row::workflow)
            .add("strategy", row -> row.figures.strategy())
            .add("runs", count(Count.RUNS))
            .add("failed", count(Count.FAILED))
            .add("makespan_seconds", mean(Measure.MAKESPAN))
            .add("makespan_low", decimal(f -> f.interval(Measure.MAKESPAN).low()))
            .add("makespan_high", decimal(f -> f.interval(Measure.MAKESPAN).high()))
            .add("improvement_percent", mean(Measure.IMPROVEMENT))
            .add("improvement_low", decimal(f -> f.interval(Measure.IMPROVEMENT).low()))
            .add("improvement_high", decimal(f -> f.interval(Measure.IMPROVEMENT)
                    .high()))
            .add("p", decimal(StrategyFigures::p))
            .add("wins", count(Count.WINS))
            .add("losses", count(Count.LOSSES))
            .add("gain_of_wins_percent", mean(Measure.GAIN_OF_WINS))
            .add("from_best_percent", mean(Measure.FROM_BEST))
            .add("ahead_of_best", count(Count.AHEAD_OF_BEST))
            .add("near_best", count(Count.NEAR_BEST))
            .add("wait_seconds", mean(Measure.WAIT))
            .add("relative_wait", mean(Measure.RELATIVE_WAIT))
            .add("held_node_hours", mean(Measure.HELD_NODE_HOURS))
            .add("one_job_share", decimal(f -> f.share(Count.ONE_JOB)))
            .add("individual_share", decimal(f -> f.share(Count.INDIVIDUAL)))
            .add("fallback_share", decimal(f -> f.share(Count.FALLBACK)))
            .add("foreseen_jobs", decimal(f -> f.start(StartAccuracy.JOBS)))
            .add("foreseen_wait_seconds", decimal(f -> f.start(StartAccuracy.EXPECTED_WAIT)))
            .add("foreseen_actual_seconds", decimal(f -> f.start(StartAccuracy.ACTUAL_WAIT)))
            .add("start_error_seconds", decimal(f -> f.start(StartAccuracy.ERROR)))
            .add("on_time_share", decimal(f -> f.start(StartAccuracy.ON_TIME)))
            .add("background_wait_delta_seconds", mean(Measure.BACKGROUND_WAIT))
            .add("jobs", mean(Measure.JOBS))
            .add("most_jobs", row -> Integer.toString(row.figures.maxJobs()))
            .add("cancelled_queued", mean(Measure.CANCELLED_QUEUED))
            .add("given_back_node_hours", mean(Measure.GIVEN_BACK_NODE_HOURS))
            .add("idle_node_hours", mean(Measure.IDLE_NODE_HOURS))
            .add("algorithms_used", mean(Measure.ALGORITHMS_USED))
            .add("beats", row -> Integer.toString(row.counts.beats()))
            .add("beaten", row -> Integer.toString(row.counts.beaten()))
            .add("beats_surely", row -> Integer.toString(row.counts.beatsSurely()))
            .add("beats_perhaps", row -> Integer.toString(row.counts.beatsPerhaps()))
            .add("beaten_surely", row -> Integer.toString(row.counts.beatenSurely()))
            .add("beaten_perhaps", row -> Integer.toString(row.counts.beatenPerhaps()))
            .add("better", row -> Integer.toString(row.counts.better()))
            .add("worse", row -> Integer.toString(row.counts.worse()))
            .add("gain_where_better_percent", row -> Csv.number(row.counts.gainWhereBetter(), PLACES));

    private SummaryRows() {}

    /**
     * The figures of one strategy.
     *
     * @param part the values of the columns that distinguish the parts
     * @param workflow empty for all workflows together
     */
    record Row(List<String> part, String workflow, StrategyFigures figures, WinCounts counts) {}

    private static Function<Row, String> decimal(ToDoubleFunction<StrategyFigures> figure) {
        return row -> Csv.number(figure.applyAsDouble(row.figures), PLACES);
    }

    private static Function<Row, String> mean(Measure measure) {
        return decimal(figures -> figures.mean(measure));
    }

    private static Function<Row, String> count(Count count) {
        return row -> Integer.toString(row.figures.count(count));
    }

    /** The names of the columns, of which those of the parts are the first, and the rows. */
    static String csv(List<String> columns, List<Row> rows) {
        StringBuilder out = new StringBuilder();
        columns.forEach(column -> out.append(column).append(','));
        out.append(String.join(",", COLUMNS.names())).append('\n');
        for (Row row : rows) {
            row.part.forEach(value -> out.append(Csv.quoted(value)).append(','));
            out.append(COLUMNS.row(row)).append('\n');
        }
        return out.toString();
    }
}
