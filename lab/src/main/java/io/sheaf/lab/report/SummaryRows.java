package io.sheaf.lab.report;

import io.sheaf.text.DecimalText;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of a report as rows of a table. */
final class SummaryRows {
    private static final int PLACES = 4;

    private final Map<String, String> fields = new LinkedHashMap<>();

    private SummaryRows() {}

    /** Writes what strategies came to; with the first row the names of the columns, those that tell the parts first. */
    static void write(Writer out, List<String> columns, List<Row> rows) throws IOException {
        boolean first = true;
        for (Row row : rows) {
            SummaryRows fields = new SummaryRows();
            for (int i = 0; i < columns.size(); i++) {
                fields.text(columns.get(i), row.part().get(i));
            }
            fields.text("workflow", row.workflow()).figures(row.figures()).counts(row.counts());
            if (first) {
                out.write(String.join(",", fields.fields.keySet()) + "\n");
                first = false;
            }
            out.write(String.join(",", fields.fields.values()) + "\n");
        }
    }

    /**
     * What one strategy came to.
     *
     * @param part the values of the columns that tell the parts
     * @param workflow empty for all together
     */
    record Row(List<String> part, String workflow, Figures figures, Counts counts) {}

    private SummaryRows figures(Figures f) {
        text("strategy", f.strategy());
        number("runs", f.runs()).number("failed", f.failed());
        decimal("makespan_seconds", f.makespanSeconds());
        decimal("makespan_low", f.makespanInterval().low());
        decimal("makespan_high", f.makespanInterval().high());
        decimal("improvement_percent", f.improvement());
        decimal("improvement_low", f.improvementInterval().low());
        decimal("improvement_high", f.improvementInterval().high());
        decimal("p", f.p());
        number("wins", f.wins()).number("losses", f.losses());
        decimal("gain_of_wins_percent", f.gainOfWins());
        decimal("from_best_percent", f.best().degradation());
        number("ahead_of_best", f.best().ahead()).number("near_best", f.best().near());
        decimal("wait_seconds", f.waitSeconds()).decimal("relative_wait", f.relativeWait());
        decimal("held_node_hours", f.nodeHoursHeld());
        decimal("one_job_share", f.shares().oneJob());
        decimal("individual_share", f.shares().individual());
        decimal("fallback_share", f.shares().fallback());
        decimal("foreseen_jobs", f.foreseen().jobs());
        decimal("foreseen_wait_seconds", f.foreseen().waitSeconds());
        decimal("foreseen_actual_seconds", f.foreseen().actualSeconds());
        decimal("start_error_seconds", f.foreseen().errorSeconds());
        decimal("on_time_share", f.foreseen().onTime());
        decimal("background_wait_delta_seconds", f.othersWaitSeconds());
        return decimal("algorithms_used", f.algorithmsUsed());
    }

    private SummaryRows counts(Counts c) {
        number("beats", c.beats()).number("beaten", c.beaten());
        number("beats_surely", c.beatsSurely()).number("beats_perhaps", c.beatsPerhaps());
        number("beaten_surely", c.beatenSurely()).number("beaten_perhaps", c.beatenPerhaps());
        number("better", c.better()).number("worse", c.worse());
        return decimal("gain_where_better_percent", c.gainWhereBetter());
    }

    private SummaryRows text(String column, String value) {
        fields.put(column, field(value));
        return this;
    }

    /** A text as a field of a table. */
    static String field(String value) {
        boolean plain = value.indexOf(',') < 0 && value.indexOf('"') < 0;
        return plain ? value : "\"" + value.replace("\"", "\"\"") + "\"";
    }

    private SummaryRows number(String column, int value) {
        fields.put(column, Integer.toString(value));
        return this;
    }

    private SummaryRows decimal(String column, double value) {
        fields.put(column, number(value, PLACES));
        return this;
    }

    /** A number; nothing where there is none. */
    static String number(double value, int places) {
        return Double.isFinite(value) ? DecimalText.fixed(value, places) : "";
    }
}
