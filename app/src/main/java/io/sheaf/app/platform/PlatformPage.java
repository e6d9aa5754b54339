package io.sheaf.app.platform;

import io.sheaf.app.page.Page;
import io.sheaf.platform.Objective;
import io.sheaf.platform.PortfolioRound;
import io.sheaf.platform.PortfolioRound.Candidate;
import io.sheaf.text.DecimalText;
import java.io.IOException;
import java.io.Writer;
import java.util.Comparator;
import java.util.List;

/** A page about an execution on a platform: figures, a Gantt chart of nodes, and the choices of a portfolio. */
record PlatformPage(PlatformReport report) {
    void write(Writer out) throws IOException {
        PlatformGantt gantt = new PlatformGantt(report.scenario(), report.execution(), report.rounds());
        String title = report.scenario().workflow().name();
        Page.of(PlatformPage.class, "platform.html", title + " · Sheaf platform")
                .text("title", title)
                .text("subtitle", report.subtitle())
                .facts(report.facts())
                .text("omitted", gantt.omitted())
                .html("gantt", gantt.svg())
                .html("rounds", report.rounds().isEmpty() ? "" : roundsHtml())
                .style(Page.resource(Page.class, "page.css") + Page.resource(PlatformPage.class, "platform.css"))
                .write(out);
    }

    /** The basis of each choice: the best candidates with their simulated values. */
    private String roundsHtml() {
        String unit = report.objective() == Objective.MAKESPAN ? "s" : "J";
        StringBuilder out = new StringBuilder("<section><h2>Algorithm selections</h2>\n<table class=\"rounds\">"
                + "<tr><th>time</th><th>selected</th><th>estimate</th><th>second best</th><th>worst</th></tr>\n");
        for (PortfolioRound round : report.rounds()) {
            List<Candidate> sorted = round.candidates().stream()
                    .sorted(Comparator.comparingDouble(Candidate::reported))
                    .toList();
            Candidate best = sorted.get(0);
            out.append("<tr><td>").append(DecimalText.fixed(round.date(), 1)).append(" s</td><td>A");
            out.append(round.chosen())
                    .append("</td><td>")
                    .append(value(best, unit))
                    .append("</td><td>");
            out.append(named(sorted.get(Math.min(1, sorted.size() - 1)), unit)).append("</td><td>");
            out.append(named(sorted.get(sorted.size() - 1), unit)).append("</td></tr>\n");
        }
        return out.append("</table></section>").toString();
    }

    private static String named(Candidate candidate, String unit) {
        return "A" + candidate.algorithm() + ": " + value(candidate, unit);
    }

    private static String value(Candidate candidate, String unit) {
        return (candidate.givenUp() ? "over " : "") + DecimalText.fixed(candidate.reported(), 1) + " " + unit;
    }
}
