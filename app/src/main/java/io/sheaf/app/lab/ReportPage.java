package io.sheaf.app.lab;

import io.sheaf.app.page.Page;
import io.sheaf.app.report.RunChart;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.lab.report.Report;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;

/**
 * What an experiment came to, as a page in one file that loads nothing.
 *
 * @param shown runs whose charts it holds
 * @param show the command that makes a page of any other, with RUN for its number
 */
public record ReportPage(Report report, List<ReplayedRun> shown, String show) {
    public void write(Writer out) throws IOException {
        StringWriter data = new StringWriter();
        RunChart runs = new RunChart(data);
        for (ReplayedRun run : shown) {
            runs.write(run.number(), run.name() + ", " + run.where(), run.record());
        }
        Page.of(ReportPage.class, "report.html", report.title() + " · Sheaf lab")
                .text("title", report.title())
                .text("origin", report.origin())
                .text(
                        "failed",
                        report.failed() == 0
                                ? "All runs completed."
                                : Rounded.count(report.failed())
                                        + " runs did not complete. They are excluded from means and count as losses.")
                .text("show", show)
                .text("held", "This page contains " + Rounded.count(shown.size()) + " of the runs.")
                .html("body", report.html())
                .html("gantt", RunChart.markup())
                .html("data", data.toString())
                .style(RunChart.style() + Page.resource(ReportPage.class, "report.css"))
                .script(RunChart.script() + "\n" + Page.resource(ReportPage.class, "report.js"))
                .write(out);
    }
}
