package io.sheaf.app.savings;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.page.Page;
import io.sheaf.formats.picture.Axis;
import io.sheaf.formats.picture.Palette;
import io.sheaf.formats.picture.Svg;
import io.sheaf.lab.savings.SavingsStudy.Compared;
import io.sheaf.lab.savings.SavingsTotal;
import io.sheaf.text.DecimalText;
import java.io.IOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The report on savings as a self-contained page without scripts. */
record SavingsPage(SavingsReport report) {
    private static final int WIDTH = 960;
    private static final int LABEL = 150;
    private static final int RIGHT = WIDTH - 90;
    private static final int ROW = 26;
    /** The room of an axis below the rows. */
    private static final int AXIS = 24;

    void write(Writer out) throws IOException {
        List<SavingsTotal> totals = report.totals();
        String warnings = report.warnings().stream()
                .map(each -> "<p class=\"warning\">" + Page.escape(each) + "</p>\n")
                .collect(Collectors.joining());
        boolean none = report.compared().isEmpty();
        Page.of(SavingsPage.class, "savings.html", "What Sheaf would have saved")
                .text("source", report.title())
                .html("summary", none ? "" : "<p class=\"summary\">" + Page.escape(summary(totals.get(0))) + "</p>")
                .facts(report.facts())
                .html("warnings", warnings)
                .html("totals", none ? "" : bars(totals))
                .html("table", none ? "" : table(SavingsReport.totalFields(), totals, "totals"))
                .html("spread", none ? "" : spread())
                .html("campaigns", none ? "" : table(report.campaignFields(), report.compared(), "campaigns"))
                .style(Page.resource(SavingsPage.class, "savings.css"))
                .write(out);
    }

    /** The result of the first strategy in two sentences. */
    private static String summary(SavingsTotal total) {
        return total.campaigns() + " campaigns with " + total.strategy() + ": "
                + change(total.hours(), " less time from first submission to last end", " more time") + ", "
                + change(total.nodeHours(), " fewer node-hours", " more node-hours") + ". All other users: "
                + change(total.othersHours(), " less waiting", " more waiting") + ".";
    }

    private static String change(SavingsTotal.Saved saved, String less, String more) {
        String unit = less.contains("node") ? "" : " h";
        String size = DecimalText.fixed(Math.abs(saved.sum()), 1) + unit;
        boolean sure = saved.hasInterval()
                && (saved.interval().low() > 0 || saved.interval().high() < 0);
        return size + (saved.sum() < 0 ? more : less) + (sure ? "" : " (not significant)");
    }

    /** The total time saved by each strategy, with its interval. */
    private String bars(List<SavingsTotal> totals) {
        double low = totals.stream().mapToDouble(SavingsPage::least).reduce(0, Math::min);
        double high = totals.stream().mapToDouble(SavingsPage::most).reduce(1, Math::max);
        int bottom = totals.size() * ROW + 6;
        Svg svg = Svg.inPage(WIDTH, bottom + AXIS, "time saved by strategy");
        Axis axis = Axis.ofRange(low, high, LABEL, RIGHT);
        axis.drawAcross(svg, bottom, 0, " h");
        for (int i = 0; i < totals.size(); i++) {
            SavingsTotal each = totals.get(i);
            double y = i * ROW + 4.0;
            double sum = each.hours().sum();
            svg.text(LABEL - 8, y + 14, each.strategy(), "text-anchor", "end");
            double width = Math.abs(axis.at(sum) - axis.at(0));
            String title = each.strategy() + ": " + SavingsReport.hours(sum);
            svg.rectangle(Math.min(axis.at(0), axis.at(sum)), y, width, ROW - 8, title, "fill", Palette.line(i));
            if (each.hours().hasInterval()) {
                svg.line(axis.at(least(each)), y + 9, axis.at(most(each)), y + 9, "stroke", "currentColor");
            }
            svg.text(Math.max(axis.at(0), axis.at(most(each))) + 6, y + 14, SavingsReport.hours(sum));
        }
        return svg.close("svg").toString();
    }

    private static double least(SavingsTotal each) {
        return each.hours().hasInterval()
                ? Math.min(each.hours().sum(), each.hours().interval().low())
                : each.hours().sum();
    }

    private static double most(SavingsTotal each) {
        return each.hours().hasInterval()
                ? Math.max(each.hours().sum(), each.hours().interval().high())
                : each.hours().sum();
    }

    /** The time saved on each campaign by each strategy, as points. */
    private String spread() {
        List<String> strategies = report.strategies();
        double[] all = report.compared().stream()
                .flatMapToDouble(each -> IntStream.range(0, strategies.size()).mapToDouble(each::savedHours))
                .filter(saved -> !Double.isNaN(saved))
                .toArray();
        double low = Arrays.stream(all).reduce(0, Math::min);
        double high = Arrays.stream(all).reduce(1, Math::max);
        int bottom = strategies.size() * ROW + 6;
        Svg svg = Svg.inPage(WIDTH, bottom + AXIS, "time saved by campaign");
        Axis axis = Axis.ofRange(low, high, LABEL, RIGHT);
        axis.drawAcross(svg, bottom, 0, " h");
        for (int s = 0; s < strategies.size(); s++) {
            double y = s * ROW + 13.0;
            String colour = Palette.line(s);
            svg.text(LABEL - 8, y + 5, strategies.get(s), "text-anchor", "end");
            for (Compared each : report.compared()) {
                double saved = each.savedHours(s);
                if (!Double.isNaN(saved)) {
                    svg.open("circle", "cx", axis.at(saved), "cy", y, "r", 4, "fill", colour, "fill-opacity", "0.6");
                    svg.holding(
                            "title",
                            each.campaign().jobs().length + " jobs: " + DecimalText.fixed(saved, 1) + " h saved");
                    svg.close("circle");
                }
            }
        }
        return svg.close("svg").toString();
    }

    private static <R> String table(Fields<R> fields, Collection<R> rows, String name) {
        StringBuilder text = new StringBuilder("<div class=\"wide\"><table class=\"" + name + "\"><tr>");
        fields.labels().forEach(label -> text.append("<th>" + Page.escape(label) + "</th>"));
        text.append("</tr>\n");
        for (R row : rows) {
            text.append("<tr>");
            fields.cells(row).forEach(cell -> text.append("<td>" + Page.escape(cell) + "</td>"));
            text.append("</tr>\n");
        }
        return text + "</table></div>\n";
    }
}
