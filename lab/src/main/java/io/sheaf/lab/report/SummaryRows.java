package io.sheaf.lab.report;

import io.sheaf.lab.experiment.Csv;
import io.sheaf.lab.experiment.RowColumns;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/** The figures of a report as rows of {@code summary.csv}. */
final class SummaryRows {
    private static final int PLACES = 4;

    private static final RowColumns<Row> COLUMNS = new RowColumns<Row>()
            .add("workflow", Row::workflow)
            .add("strategy", row -> row.figures.strategy())
            .add("runs", count(StrategyFigures::runs))
            .add("failed", count(StrategyFigures::failed))
            .add("makespan_seconds", decimal(StrategyFigures::makespanSeconds))
            .add("makespan_low", decimal(f -> f.makespanInterval().low()))
            .add("makespan_high", decimal(f -> f.makespanInterval().high()))
            .add("improvement_percent", decimal(StrategyFigures::improvement))
            .add("improvement_low", decimal(f -> f.improvementInterval().low()))
            .add("improvement_high", decimal(f -> f.improvementInterval().high()))
            .add("p", decimal(StrategyFigures::p))
            .add("wins", count(StrategyFigures::wins))
            .add("losses", count(StrategyFigures::losses))
            .add("gain_of_wins_percent", decimal(StrategyFigures::gainOfWins))
            .add("from_best_percent", decimal(f -> f.best().degradation()))
            .add("ahead_of_best", count(f -> f.best().ahead()))
            .add("near_best", count(f -> f.best().near()))
            .add("wait_seconds", decimal(StrategyFigures::waitSeconds))
            .add("relative_wait", decimal(StrategyFigures::relativeWait))
            .add("held_node_hours", decimal(StrategyFigures::nodeHoursHeld))
            .add("one_job_share", decimal(f -> f.shares().oneJob()))
            .add("individual_share", decimal(f -> f.shares().individual()))
            .add("fallback_share", decimal(f -> f.shares().fallback()))
            .add("foreseen_jobs", decimal(f -> f.starts().jobs()))
            .add("foreseen_wait_seconds", decimal(f -> f.starts().waitSeconds()))
            .add("foreseen_actual_seconds", decimal(f -> f.starts().actualSeconds()))
            .add("start_error_seconds", decimal(f -> f.starts().errorSeconds()))
            .add("on_time_share", decimal(f -> f.starts().onTime()))
            .add("background_wait_delta_seconds", decimal(f -> f.manners().backgroundWaitSeconds()))
            .add("jobs", decimal(f -> f.manners().submitted()))
            .add("most_jobs", count(f -> f.manners().mostSubmitted()))
            .add("cancelled_queued", decimal(f -> f.manners().cancelledQueued()))
            .add("given_back_node_hours", decimal(f -> f.manners().givenBackNodeHours()))
            .add("idle_node_hours", decimal(f -> f.manners().idleNodeHours()))
            .add("algorithms_used", decimal(StrategyFigures::algorithmsUsed))
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

    private static Function<Row, String> count(ToIntFunction<StrategyFigures> figure) {
        return row -> Integer.toString(figure.applyAsInt(row.figures));
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
