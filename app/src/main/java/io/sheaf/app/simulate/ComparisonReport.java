package io.sheaf.app.simulate;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.sim.campaign.CampaignResults;
import io.sheaf.sim.campaign.StrategyComparison;
import io.sheaf.sim.campaign.StrategyComparison.Row;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** The results of a comparison: a table of strategies for each workflow. */
final class ComparisonReport {
    private static final int MILLIS = 3;
    private static final int PERCENT = 4;

    private final CampaignResults results;
    private final List<String> files;
    private final int baseline;
    private final Fields<Row> columns;

    ComparisonReport(CampaignResults results, List<String> files, int baseline) {
        this.results = results;
        this.files = files;
        this.baseline = baseline;
        columns = new Fields<Row>()
                .text("strategy", "strategy", Row::strategy)
                .decimal("makespan", "meanMakespanSeconds", MILLIS, Row::meanMakespanSeconds, ComparisonReport::time)
                .right(
                        "improvement",
                        row -> isBaseline(row) || Double.isNaN(row.meanImprovementPercent())
                                ? "-"
                                : Fields.fixed(1, " %").apply(row.meanImprovementPercent()))
                .left("verdict", row -> row.beats() ? "better" : row.isBeaten() ? "worse" : "")
                .decimal("meanImprovementPercent", PERCENT, Row::meanImprovementPercent)
                .decimal(
                        "above best",
                        "meanDegradationFromBestPercent",
                        PERCENT,
                        Row::meanDegradationFromBestPercent,
                        Fields.fixed(1, " %"))
                .right("wins", row -> isBaseline(row) ? "-" : Integer.toString(row.wins()))
                .right("losses", row -> isBaseline(row) ? "-" : Integer.toString(row.losses()))
                .count("wins", Row::wins)
                .count("losses", Row::losses)
                .decimal("node-hours allocated", "nodeHoursHeld", PERCENT, Row::nodeHoursHeld, Fields.fixed(1, ""))
                .decimal("used", "nodeHoursUsed", PERCENT, Row::nodeHoursUsed, Fields.fixed(1, ""))
                .right("failed runs", row -> row.failed() + " of " + row.runs())
                .count("runs", Row::runs)
                .count("failed", Row::failed);
    }

    private boolean isBaseline(Row row) {
        return row.strategy().equals(results.strategies().get(baseline));
    }

    private static String time(double seconds) {
        return Rounded.time(Math.round(seconds * 1000));
    }

    void print(PrintWriter out) {
        for (int i = 0; i < files.size(); i++) {
            Workflow workflow = results.workflows().get(i);
            out.println();
            out.println(files.get(i) + ", " + Rounded.count(workflow.size()) + " tasks");
            List<List<String>> rows = new ArrayList<>();
            StrategyComparison.of(results, i, baseline).forEach(row -> rows.add(columns.cells(row)));
            double bound = StrategyComparison.meanLowerBoundSeconds(results, i);
            rows.add(List.of("lower bound", Double.isNaN(bound) ? "-" : time(bound), "", "", "", "", "", "", "", ""));
            columns.tableOf(out, rows);
        }
    }

    void fields(JsonOut out) {
        out.field("baseline", results.strategies().get(baseline))
                .field("starts", results.starts())
                .array("workflows");
        for (int i = 0; i < files.size(); i++) {
            Workflow workflow = results.workflows().get(i);
            out.object()
                    .field("workflow", workflow.name())
                    .field("file", files.get(i))
                    .field("tasks", workflow.size())
                    .decimal("meanLowerBoundSeconds", StrategyComparison.meanLowerBoundSeconds(results, i), MILLIS);
            columns.array(out, "strategies", StrategyComparison.of(results, i, baseline));
            out.end();
        }
        out.end();
    }
}
