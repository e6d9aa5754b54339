package io.sheaf.app.simulate;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.Table;
import io.sheaf.sim.campaign.CampaignResults;
import io.sheaf.sim.campaign.Comparison;
import io.sheaf.sim.campaign.Comparison.Row;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import io.sheaf.workflow.Workflow;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Prints what came of a comparison: a table for each workflow, or JSON. */
final class ComparisonReport {
    private static final int MILLIS = 3;
    private static final int PERCENT = 4;
    private static final String NONE = "-";

    private final CampaignResults results;
    private final List<String> files;
    private final int baseline;

    ComparisonReport(CampaignResults results, List<String> files, int baseline) {
        this.results = results;
        this.files = files;
        this.baseline = baseline;
    }

    void print(PrintWriter out) {
        for (int i = 0; i < files.size(); i++) {
            Workflow workflow = results.workflows().get(i);
            out.println();
            out.println(files.get(i) + ", " + Rounded.count(workflow.size()) + " tasks");
            List<List<String>> rows = new ArrayList<>();
            Comparison.of(results, i, baseline).forEach(row -> rows.add(cells(row)));
            String bound = time(Comparison.meanLowerBoundSeconds(results, i));
            rows.add(List.of("lower bound", bound, "", "", "", "", "", "", "", ""));
            Table.print(
                    out,
                    List.of(
                            "strategy",
                            "makespan",
                            "improvement",
                            "",
                            "from best",
                            "wins",
                            "losses",
                            "held",
                            "used",
                            "failed"),
                    rows,
                    "<>><>>>>>>");
        }
    }

    private List<String> cells(Row row) {
        boolean itself = row.strategy().equals(results.strategies().get(baseline));
        String verdict = row.beats() ? "beats" : row.isBeaten() ? "is beaten" : "";
        return List.of(
                row.strategy(),
                time(row.meanMakespanSeconds()),
                itself ? NONE : percent(row.meanImprovementPercent()),
                verdict,
                percent(row.meanDegradationFromBestPercent()),
                itself ? NONE : Integer.toString(row.wins()),
                itself ? NONE : Integer.toString(row.losses()),
                hours(row.nodeHoursHeld()),
                hours(row.nodeHoursUsed()),
                row.failed() + " of " + row.runs());
    }

    private static String time(double seconds) {
        return Double.isNaN(seconds) ? NONE : Rounded.time(Math.round(seconds * 1000));
    }

    private static String percent(double value) {
        return Double.isNaN(value) ? NONE : DecimalText.fixed(value, 1) + " %";
    }

    private static String hours(double value) {
        return Double.isNaN(value) ? NONE : DecimalText.fixed(value, 1) + " h";
    }

    void printJson(PrintWriter writer) {
        try (JsonOut out = new JsonOut(writer)) {
            out.object()
                    .field("baseline", results.strategies().get(baseline))
                    .field("starts", results.starts())
                    .array("workflows");
            for (int i = 0; i < files.size(); i++) {
                Workflow workflow = results.workflows().get(i);
                out.object()
                        .field("workflow", workflow.name())
                        .field("file", files.get(i))
                        .field("tasks", workflow.size())
                        .decimal("meanLowerBoundSeconds", Comparison.meanLowerBoundSeconds(results, i), MILLIS)
                        .array("strategies");
                Comparison.of(results, i, baseline).forEach(row -> printJson(row, out));
                out.end().end();
            }
            out.end().end();
        }
    }

    private static void printJson(Row row, JsonOut out) {
        out.object()
                .field("strategy", row.strategy())
                .decimal("meanMakespanSeconds", row.meanMakespanSeconds(), MILLIS)
                .decimal("meanImprovementPercent", row.meanImprovementPercent(), PERCENT)
                .decimal("meanDegradationFromBestPercent", row.meanDegradationFromBestPercent(), PERCENT)
                .field("wins", row.wins())
                .field("losses", row.losses())
                .decimal("nodeHoursHeld", row.nodeHoursHeld(), PERCENT)
                .decimal("nodeHoursUsed", row.nodeHoursUsed(), PERCENT)
                .field("runs", row.runs())
                .field("failed", row.failed())
                .end();
    }
}
