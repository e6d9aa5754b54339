package io.sheaf.app.lab;

import io.sheaf.app.page.Page;
import io.sheaf.lab.report.Report;
import io.sheaf.lab.report.StudyReport;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.Writer;

/** What an experiment came to, as a page in one file: it loads nothing and needs no script. */
public final class ReportPage {
    private ReportPage() {}

    public static void write(StudyReport report, Writer out) throws IOException {
        page(report.title(), report.origin(), "", report.html()).write(out);
    }

    public static void write(Report report, Writer out) throws IOException {
        String failed = report.failed() == 0
                ? "Every run completed."
                : Rounded.count(report.failed()) + " runs could not complete; they are in no mean, and count as lost.";
        page(report.title(), report.origin(), failed, report.html()).write(out);
    }

    private static Page page(String title, String origin, String failed, String body) {
        return Page.of(ReportPage.class, "report.html")
                .text("title", title)
                .text("origin", origin)
                .text("failed", failed)
                .html("body", body)
                .style(Page.resource(Page.class, "page.css") + Page.resource(ReportPage.class, "report.css"));
    }
}
