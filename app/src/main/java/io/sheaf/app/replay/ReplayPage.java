package io.sheaf.app.replay;

import io.sheaf.app.page.Page;
import io.sheaf.app.simulate.LoadedTrace;
import io.sheaf.formats.picture.Svg;
import io.sheaf.sim.ReplayResult;
import io.sheaf.sim.SizeClasses;
import io.sheaf.sim.Trace;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A page about a replay: figures, queue and used nodes over time, waits by job size, and a Gantt chart of nodes.
 *
 * <p>Deterministic: it contains no date, host or path.
 *
 * @param loaded the log or model
 * @param policy as text
 */
record ReplayPage(
        LoadedTrace loaded, String policy, int nodes, ReplaySummary summary, Trace trace, ReplayResult replayed) {
    /** The maximum number of drawn jobs; the figures include all jobs. */
    private static final int MAX_JOBS = 1_000_000;

    private static final List<String> CHARTS = List.of("timeline.js", "steps.js", "gantt.js");
    private static final int BAR_HEIGHT = 30;
    private static final String PLACED = "Node numbers are the scheduler's, from 0.";
    private static final String ASSIGNED =
            "Node numbers are assigned for this chart: the lowest free block, else the lowest free nodes.";

    void write(Writer out) throws IOException {
        int count = Math.min(trace.jobs().size(), MAX_JOBS);
        StringWriter jobs = new StringWriter();
        new PackedJobs(trace, replayed, nodes, count).write(jobs);
        String shortName = loaded.name().substring(loaded.name().lastIndexOf('/') + 1);
        // The log's zero in seconds since 1970, 0 if unknown.
        long epoch = loaded.log().header().number("UnixStartTime").orElse(0);
        SizeClasses classes = new SizeClasses(nodes);
        String script =
                CHARTS.stream().map(file -> Page.resource(Page.class, file)).collect(Collectors.joining("\n"));
        Page.of(ReplayPage.class, "replay.html", shortName + " · " + policy + " · Sheaf replay")
                .text("title", shortName)
                .text("scheduling", policy)
                .text("nodes", Integer.toString(nodes))
                .text("size", Rounded.count(nodes))
                .text("numbers", replayed.isPlaced() ? PLACED : ASSIGNED)
                .text("epoch", Long.toString(epoch))
                .text("sizes", classes.largest().stream().map(String::valueOf).collect(Collectors.joining(",")))
                .text(
                        "shades",
                        IntStream.range(0, classes.count())
                                .mapToObj(c -> Integer.toString(classes.shade(c)))
                                .collect(Collectors.joining(",")))
                .facts(summary.facts())
                .html("notes", notesHtml(count))
                .html("waits", waitsHtml(classes))
                .html("jobs", jobs.toString())
                .style(Page.resource(ReplayPage.class, "replay.css"))
                .script(script + "\n" + Page.resource(ReplayPage.class, "replay.js"))
                .write(out);
    }

    private String notesHtml(int count) {
        StringBuilder notes = new StringBuilder();
        int all = trace.jobs().size();
        if (count < all) {
            notes.append("<li>The charts show the first " + count + " of " + all
                    + " jobs; --from and --for choose others.</li>");
        }
        summary.applied()
                .forEach(note -> notes.append("<li>").append(Page.escape(note)).append("</li>\n"));
        return notes.length() == 0 ? "<li>Every job of the log is replayed as recorded.</li>" : notes.toString();
    }

    private String waitsHtml(SizeClasses classes) {
        StringBuilder table = new StringBuilder("<thead><tr><th scope=\"col\">nodes</th><th scope=\"col\">jobs</th>");
        WaitBySize.BINS.forEach(bin -> table.append("<th scope=\"col\" class=\"bin\">" + Page.escape(bin) + "</th>"));
        table.append("<th scope=\"col\">median</th><th scope=\"col\">p95</th></tr></thead>\n<tbody>\n");
        double largest = summary.waits().stream()
                .flatMapToDouble(row -> row.bins().stream().mapToDouble(bin -> bin / (double) row.jobs()))
                .max()
                .orElse(1);
        for (WaitBySize.Row row : summary.waits()) {
            table.append("<tr><th scope=\"row\"><span class=\"swatch size" + classes.shade(row.sizeClass())
                    + "\"></span>" + row.sizes() + "</th><td>" + Rounded.count(row.jobs()) + "</td>");
            for (int bin : row.bins()) {
                table.append(bar(bin / (double) row.jobs(), bin, largest, classes.shade(row.sizeClass())));
            }
            table.append("<td>" + Rounded.time(row.medianWait()) + "</td><td>" + Rounded.time(row.p95Wait())
                    + "</td></tr>\n");
        }
        return table.append("</tbody>").toString();
    }

    /** A cell with a bar of the share, scaled by the largest, and the share below it. */
    private static String bar(double share, int jobs, double largest, int shade) {
        double high = share / largest * BAR_HEIGHT;
        String label = jobs == 0 ? "·" : share < 0.01 ? "&lt; 1 %" : DecimalText.fixed(100 * share, 0) + " %";
        String box = "0 0 40 " + BAR_HEIGHT;
        Svg svg = new Svg(1)
                .open("svg", "viewBox", box, "preserveAspectRatio", "none", "aria-hidden", "true")
                .rectangle(3, BAR_HEIGHT - high, 34, high, "", "class", "size" + shade)
                .close("svg");
        return "<td class=\"bin\" title=\"" + jobs + " jobs\">" + svg + label + "</td>";
    }
}
