package io.sheaf.app.lab;

import io.sheaf.app.page.Page;
import io.sheaf.lab.report.StudyReport;
import java.io.IOException;
import java.io.Writer;

/** What a study came to, as a page in one file that loads nothing and needs no script. */
public final class StudyPage {
    private StudyPage() {}

    public static void write(StudyReport report, Writer out) throws IOException {
        Page.of(StudyPage.class, "study.html", report.title() + " · Sheaf lab")
                .text("title", report.title())
                .text("origin", report.origin())
                .html("body", report.html())
                .style(Page.resource(Page.class, "page.css") + Page.resource(StudyPage.class, "report.css"))
                .write(out);
    }
}
