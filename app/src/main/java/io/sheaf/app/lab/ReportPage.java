package io.sheaf.app.lab;

import io.sheaf.app.page.Page;
import io.sheaf.lab.report.Report;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.Writer;

/** What an experiment came to, as a page in one file: it loads nothing and needs no script. */
public final class ReportPage {
    private ReportPage() {}

    public static void write(Report report, Writer out) throws IOException {
        Page.of(ReportPage.class, "report.html", report.title() + " · Sheaf lab")
                .text("title", report.title())
                .text("origin", report.origin())
                .text(
                        "failed",
                        report.failed() == 0
                                ? "Every run completed."
                                : Rounded.count(report.failed())
                                        + " runs could not complete; they are in no mean, and count as lost.")
                .html("body", report.html())
                .style(Page.resource(Page.class, "page.css") + Page.resource(ReportPage.class, "report.css"))
                .write(out);
    }
}
