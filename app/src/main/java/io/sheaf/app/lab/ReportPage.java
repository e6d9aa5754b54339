package io.sheaf.app.lab;

import io.sheaf.app.page.Page;
import io.sheaf.app.report.RunChart;
import io.sheaf.lab.experiment.ReplayedRun;
import io.sheaf.lab.report.LabReport;
import io.sheaf.lab.report.StudyReport;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;

/**
 * The report of an experiment as a self-contained page; a study's has no runs and no script.
 *
 * @param shown the runs whose charts the page contains
 * @param show the command that writes a page of any other run, with RUN for its number
 */
public record ReportPage(LabReport report, List<ReplayedRun> shown, String show) {
    public void write(Writer out) throws IOException {
        boolean study = report instanceof StudyReport;
        Page page = Page.of(ReportPage.class, study ? "study.html" : "report.html", report.title() + " · Sheaf lab")
                .text("title", report.title())
                .text("origin", report.origin())
                .html("body", report.html());
        String style = Page.resource(ReportPage.class, "report.css");
        if (study) {
            page.style(Page.resource(Page.class, "page.css") + style).write(out);
            return;
        }
        StringWriter data = new StringWriter();
        RunChart runs = new RunChart(data);
        for (ReplayedRun run : shown) {
            runs.write(run.number(), run.name() + ", " + run.where(), run.record());
        }
        page.text(
                        "failed",
                        report.failed() == 0
                                ? "All runs completed."
                                : Rounded.count(report.failed())
                                        + " runs did not complete. They are excluded from means and count as losses.")
                .text("show", show)
                .text("held", "This page contains " + Rounded.count(shown.size()) + " of the runs.")
                .html("gantt", RunChart.markup())
                .html("data", data.toString())
                .style(RunChart.style() + style)
                .script(RunChart.script() + "\n" + Page.resource(ReportPage.class, "report.js"))
                .write(out);
    }
}
