package io.sheaf.app.history;

import io.sheaf.app.history.PastRun.StartFigures;
import io.sheaf.app.page.Page;
import io.sheaf.formats.picture.Svg;
import io.sheaf.runtime.recorded.Regret;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * A report on recorded runs as a self-contained page without scripts.
 *
 * <p>Deterministic: the page contains only the names of the runs' folders.
 */
public record HistoryPage(List<PastRun> runs, List<CategoryFigures> categories) {
    /** Characters of a label. */
    private static final int LONGEST_LABEL = 48;

    private static final int LABEL = 330;
    private static final int WIDTH = 960;
    private static final int ROW = 22;
    private static final int VALUES = 200;

    /** A stacked horizontal bar of a chart. */
    private record Bar(String name, List<BarSegment> parts, String value) {}

    private record BarSegment(String colour, double length, String title) {}

    public void write(Writer out) throws IOException {
        Page.of(HistoryPage.class, "history.html", "Sheaf history")
                .text("count", runs.size() == 1 ? "1 run" : runs.size() + " runs")
                .html("makespans", makespans())
                .html("hours", hours())
                .html("categories", times())
                .html("starts", starts())
                .html("regret", regrets())
                .style(Page.resource(HistoryPage.class, "history.css"))
                .write(out);
    }

    private String makespans() {
        List<Bar> bars = new ArrayList<>();
        for (PastRun run : runs) {
            long waits = run.record().perceivedWaitMillis();
            long whole = run.record().makespanMillis();
            bars.add(new Bar(
                    run.name() + " · " + run.record().strategy(),
                    List.of(
                            new BarSegment("light-blue", waits, "no job running: " + Rounded.time(waits)),
                            new BarSegment(
                                    "blue", Math.max(0, whole - waits), "job running: " + Rounded.time(whole - waits))),
                    Rounded.time(whole)));
        }
        return picture("makespan of runs", bars);
    }

    private String hours() {
        List<Bar> bars = new ArrayList<>();
        for (PastRun run : runs) {
            String used = Rounded.hours(run.record().usedNodeMillis());
            bars.add(new Bar(
                    run.name() + " · " + run.record().strategy(),
                    List.of(
                            new BarSegment("blue", run.record().usedNodeMillis(), used + " node-hours used"),
                            new BarSegment(
                                    "orange",
                                    run.wasted(),
                                    Rounded.hours(run.wasted()) + " node-hours allocated, not used")),
                    used + " of " + Rounded.hours(run.record().allocatedNodeMillis())));
        }
        return picture("node-hours", bars);
    }

    private String times() {
        List<Bar> bars = new ArrayList<>();
        for (CategoryFigures each : categories) {
            if (each.done() > 0) {
                long median = each.time(50);
                long high = each.time(90);
                long maximum = each.time(100);
                bars.add(new Bar(
                        each.workflow() + " · " + each.category() + " (" + each.done() + " done, " + each.failed()
                                + " failed)",
                        List.of(
                                new BarSegment("blue", median, "median " + Rounded.time(median)),
                                new BarSegment("light-blue", high - median, "90th percentile " + Rounded.time(high)),
                                new BarSegment("orange", maximum - high, "maximum " + Rounded.time(maximum))),
                        "median " + Rounded.time(median) + ", maximum " + Rounded.time(maximum)));
            }
        }
        return picture("run times by category", bars);
    }

    private String starts() {
        StringBuilder rows = new StringBuilder();
        for (PastRun run : runs) {
            for (StartFigures each : run.predictions()) {
                if (each.jobs() > 0) {
                    rows.append("<tr><td>" + Page.escape(run.name()) + "</td><td>" + Page.escape(each.source())
                            + "</td><td>" + each.jobs() + "</td><td>" + Rounded.time(each.median()) + "</td><td>"
                            + each.meanText() + "</td><td>" + Rounded.time(each.worst()) + "</td></tr>\n");
                }
            }
        }
        return rows.isEmpty()
                ? "<p>No start-time estimates were recorded.</p>"
                : "<table><tr><th>run</th><th>estimator</th><th>jobs</th><th>median error</th><th>mean error</th><th>maximum error</th></tr>\n"
                        + rows + "</table>";
    }

    private String regrets() {
        StringBuilder all = new StringBuilder();
        for (PastRun run : runs) {
            Regret.StrategyResult own = run.regret().own();
            all.append("<h3>" + Page.escape(run.name()) + "</h3>\n");
            if (own != null) {
                List<Bar> bars = new ArrayList<>();
                long makespan = run.record().makespanMillis();
                bars.add(new Bar(
                        "measured",
                        List.of(new BarSegment("blue", makespan, Rounded.time(makespan))),
                        Rounded.time(makespan)));
                for (Regret.StrategyResult each : run.regret().tries()) {
                    String shown = each.completed() ? Rounded.time(each.makespan()) : "not completed";
                    bars.add(new Bar(
                            each.strategy() + (each.equals(own) ? " (ran)" : ""),
                            List.of(new BarSegment(
                                    each.equals(own) ? "blue" : "light-blue",
                                    each.completed() ? each.makespan() : 0,
                                    shown)),
                            shown + ", " + Rounded.hours(each.held()) + " node-hours"));
                }
                all.append(picture("makespan with each strategy", bars));
            }
            if (!run.regret().unknown().isEmpty()) {
                all.append("<p class=\"hint\">" + (own == null ? "Not simulated: " : "Not included: ")
                        + Page.escape(String.join("; ", run.regret().unknown())) + "</p>\n");
            }
        }
        return all.toString();
    }

    /** A label that fits beside its bar: a long one loses its middle. */
    static String shortened(String label) {
        int rest = LONGEST_LABEL - 1;
        return label.length() <= LONGEST_LABEL
                ? label
                : label.substring(0, rest / 2) + "…" + label.substring(label.length() - (rest - rest / 2));
    }

    private static String picture(String title, List<Bar> bars) {
        double maximum = bars.stream()
                .mapToDouble(bar ->
                        bar.parts.stream().mapToDouble(BarSegment::length).sum())
                .reduce(1, Math::max);
        double scale = (WIDTH - LABEL - VALUES) / maximum;
        Svg svg = Svg.inPage(WIDTH, bars.size() * ROW + 4, title);
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            int y = i * ROW;
            svg.text(LABEL - 6, y + 15, shortened(bar.name), "text-anchor", "end");
            double x = LABEL;
            for (BarSegment part : bar.parts) {
                double width = part.length * scale;
                svg.rectangle(x, y + 3, width, ROW - 6, part.title, "class", part.colour);
                x += width;
            }
            svg.text(x + 6, y + 15, bar.value);
        }
        return svg.close("svg").toString();
    }
}
