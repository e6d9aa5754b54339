package io.sheaf.formats.picture;

import io.sheaf.formats.WorkflowWriter;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draws a workflow as SVG: levels as bands, colours by category with a legend, a tooltip on each task.
 *
 * <p>The picture is self-contained: no scripts, fonts or other files. It follows the reader's light or dark colour scheme.
 */
public final class SvgWriter implements WorkflowWriter {
    private static final String STYLE = """
            text{font:11px sans-serif;fill:#222}.h{font-size:16px;font-weight:bold}.s{fill:#666}\
            .page{fill:#fff}.band{fill:#f3f4f6}.e{fill:none;stroke:#4b5563}.m{text-anchor:middle}\
            @media (prefers-color-scheme:dark){text{fill:#e5e7eb}.s{fill:#9ca3af}.page{fill:#16181d}\
            .band{fill:#1f2228}.e{stroke:#9ca3af}}""";
    private static final double LEGEND_LETTER = 6.6;
    private static final int LEGEND_ROW = 20;
    private static final int TITLE = 64;

    @Override
    public String name() {
        return "svg";
    }

    @Override
    public String title() {
        return "a picture (SVG)";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".svg");
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        Legend legend = new Legend(workflow);
        // The legend is as wide as the layout, and the layout begins below the legend: the width is known first.
        int width = new Layout(workflow, 0).width;
        Layout layout = new Layout(workflow, TITLE + legendRows(legend, width) * LEGEND_ROW + 8);
        SvgText svg = new SvgText(out);
        svg.open(layout.width, layout.height, STYLE);
        svg.line("<title>" + SvgText.escape(workflow.name()) + "</title>");
        svg.rectangle("page", 0, 0, layout.width, layout.height);
        svg.text("h", Layout.MARGIN, 30, workflow.name());
        svg.text("s", Layout.MARGIN, 50, legend.summary());
        legend(legend, width, svg);
        bands(workflow, layout, svg);
        edges(workflow, layout, svg);
        for (int task = 0; task < workflow.size(); task++) {
            task(layout, legend, task, svg);
        }
        svg.line("</svg>");
    }

    private static int legendRows(Legend legend, int width) throws IOException {
        return legend(legend, width, null);
    }

    /** Writes the legend, or only counts its rows. */
    private static int legend(Legend legend, int width, @Nullable SvgText svg) throws IOException {
        int rows = 1;
        double x = Layout.MARGIN;
        for (Legend.Entry entry : legend.entries) {
            double needed = 26 + entry.text().length() * LEGEND_LETTER;
            if (x > Layout.MARGIN && x + needed > width - Layout.MARGIN) {
                rows++;
                x = Layout.MARGIN;
            }
            if (svg != null) {
                double y = TITLE + (rows - 1) * LEGEND_ROW;
                svg.box(entry.colour(), x, y, 12, 12);
                svg.text("", x + 17, y + 10, entry.text());
            }
            x += needed;
        }
        return rows;
    }

    private static void bands(Workflow workflow, Layout layout, SvgText svg) throws IOException {
        for (int level = 0; level < workflow.levels(); level++) {
            double top = layout.bandTop[level];
            double height = layout.bandTop[level + 1] - top;
            if (level % 2 == 0) {
                svg.rectangle("band", 0, top, layout.width, height);
            }
            svg.text("s", Layout.MARGIN, top + height / 2, "level " + level);
            svg.text("s", Layout.MARGIN, top + height / 2 + 14, Legend.count(workflow.width(level), "task"));
        }
    }

    /** All edges of a task are one path; the more edges there are, the lighter they are. */
    private static void edges(Workflow workflow, Layout layout, SvgText svg) throws IOException {
        double opacity = Math.max(0.12, Math.min(0.6, 8 / Math.sqrt(workflow.edges() + 1.0)));
        svg.line("<g class=\"e\" stroke-opacity=\"" + SvgText.number(opacity) + "\">");
        for (int task = 0; task < workflow.size(); task++) {
            if (workflow.children(task) > 0) {
                StringBuilder path = new StringBuilder();
                for (int i = 0; i < workflow.children(task); i++) {
                    int child = workflow.child(task, i);
                    double from = layout.y[task] + layout.boxHeight / 2.0;
                    double to = layout.y[child] - layout.boxHeight / 2.0;
                    SvgText.curve(path, layout.x[task], from, layout.x[child], to, layout.bulge(task, child));
                }
                svg.line("<path d=\"" + path + "\"/>");
            }
        }
        svg.line("</g>");
    }

    private static void task(Layout layout, Legend legend, int task, SvgText svg) throws IOException {
        int colour = legend.colour(task);
        svg.line("<g><title>" + SvgText.escape(legend.tip(task)) + "</title>");
        double left = layout.x[task] - layout.boxWidth / 2.0;
        svg.box(colour, left, layout.y[task] - layout.boxHeight / 2.0, layout.boxWidth, layout.boxHeight);
        if (layout.labelled) {
            svg.label(colour, layout.x[task], layout.y[task] + 4, layout.label(task));
        }
        svg.line("</g>");
    }
}
