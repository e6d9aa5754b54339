package io.sheaf.formats.picture;

import io.sheaf.formats.WorkflowWriter;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Draws a workflow as SVG: levels as bands, colours by category with a legend, a tooltip on each task.
 *
 * <p>The picture loads no script, font or file. It follows the light or dark colour scheme of the viewer.
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
    public Label label() {
        return new Label("svg", "a picture (SVG)", ".svg");
    }

    @Override
    public void write(Workflow workflow, Writer out) throws IOException {
        Legend legend = new Legend(workflow);
        // The legend needs the width of the layout, and the layout begins below the legend.
        int width = new Layout(workflow, 0).width;
        Layout layout = new Layout(workflow, TITLE + legend(legend, width, null) * LEGEND_ROW + 8);
        Svg svg = Svg.picture(layout.width, layout.height);
        svg.raw("<style>" + STYLE + "</style>\n").holding("title", workflow.name());
        svg.rectangle(0, 0, layout.width, layout.height, "", "class", "page");
        svg.text(Layout.MARGIN, 30, workflow.name(), "class", "h");
        svg.text(Layout.MARGIN, 50, legend.summary(), "class", "s");
        legend(legend, width, svg);
        bands(workflow, layout, svg);
        edges(workflow, layout, svg, out);
        for (int task = 0; task < workflow.size(); task++) {
            task(layout, legend, task, svg);
            svg.drainTo(out);
        }
        svg.close("svg").drainTo(out);
    }

    /** Writes the legend, or only counts its rows. */
    private static int legend(Legend legend, int width, @Nullable Svg svg) {
        int rows = 1;
        double x = Layout.MARGIN;
        for (Legend.LegendEntry entry : legend.entries) {
            double needed = 26 + entry.text().length() * LEGEND_LETTER;
            if (x > Layout.MARGIN && x + needed > width - Layout.MARGIN) {
                rows++;
                x = Layout.MARGIN;
            }
            if (svg != null) {
                double y = TITLE + (rows - 1) * LEGEND_ROW;
                box(svg, entry.colour(), x, y, 12, 12);
                svg.text(x + 17, y + 10, entry.text());
            }
            x += needed;
        }
        return rows;
    }

    private static void bands(Workflow workflow, Layout layout, Svg svg) {
        for (int level = 0; level < workflow.levels(); level++) {
            double top = layout.bandTop[level];
            double height = layout.bandTop[level + 1] - top;
            if (level % 2 == 0) {
                svg.rectangle(0, top, layout.width, height, "", "class", "band");
            }
            svg.text(Layout.MARGIN, top + height / 2, "level " + level, "class", "s");
            svg.text(Layout.MARGIN, top + height / 2 + 14, Legend.count(workflow.width(level), "task"), "class", "s");
        }
    }

    /** All edges of a task are one path; the more edges there are, the lighter they are. */
    private static void edges(Workflow workflow, Layout layout, Svg svg, Writer out) throws IOException {
        double opacity = Math.max(0.12, Math.min(0.6, 8 / Math.sqrt(workflow.edges() + 1.0)));
        svg.open("g", "class", "e", "stroke-opacity", Svg.number(opacity, 2));
        for (int task = 0; task < workflow.size(); task++) {
            if (workflow.children(task) > 0) {
                StringBuilder path = new StringBuilder();
                for (int i = 0; i < workflow.children(task); i++) {
                    int child = workflow.child(task, i);
                    double from = layout.y[task] + layout.boxHeight / 2.0;
                    double to = layout.y[child] - layout.boxHeight / 2.0;
                    curve(svg, path, layout.x[task], from, layout.x[child], to, layout.bulge(task, child));
                }
                svg.empty("path", "d", path).drainTo(out);
            }
        }
        svg.close("g");
    }

    private static void task(Layout layout, Legend legend, int task, Svg svg) {
        int colour = legend.colour(task);
        svg.open("g").holding("title", legend.tip(task));
        double left = layout.x[task] - layout.boxWidth / 2.0;
        box(svg, colour, left, layout.y[task] - layout.boxHeight / 2.0, layout.boxWidth, layout.boxHeight);
        if (layout.labelled) {
            String letters = Palette.mark(colour).isFilled() ? "fill:" + Palette.letters(colour) : "";
            svg.text(layout.x[task], layout.y[task] + 4, layout.label(task), "class", "m", "style", letters);
        }
        svg.close("g");
    }

    /** The box of a task, or the sample of one in the legend. */
    private static void box(Svg svg, int colour, double x, double y, double width, double height) {
        Palette.Mark mark = Palette.mark(colour);
        String hue = Palette.colour(colour);
        if (mark.isFilled()) {
            svg.rectangle(x, y, width, height, "", "rx", 3, "fill", hue);
        } else {
            // The outline is within the box, so that all boxes have the same size.
            svg.rectangle(
                    x + 1.5,
                    y + 1.5,
                    width - 3,
                    height - 3,
                    "",
                    "class",
                    "page",
                    "rx",
                    2,
                    "stroke",
                    hue,
                    "stroke-width",
                    3);
        }
        if (mark.hasDot()) {
            // In a corner beside a label, in the middle of a small box.
            boolean small = width <= 20;
            svg.empty(
                    "circle",
                    "cx",
                    small ? x + width / 2 : x + width - 5,
                    "cy",
                    small ? y + height / 2 : y + 5,
                    "r",
                    small ? 2.5 : 2,
                    "fill",
                    mark.isFilled() ? Palette.letters(colour) : hue);
        }
    }

    /** A curve that leaves downwards, arrives from above and bulges to the right. */
    private static void curve(Svg svg, StringBuilder path, double x, double y, double toX, double toY, double bulge) {
        double bend = Math.max(10, (toY - y) / 2);
        path.append('M').append(svg.number(x)).append(' ').append(svg.number(y));
        path.append('C').append(svg.number(x + bulge)).append(' ').append(svg.number(y + bend));
        path.append(' ').append(svg.number(toX + bulge)).append(' ').append(svg.number(toY - bend));
        path.append(' ').append(svg.number(toX)).append(' ').append(svg.number(toY));
    }
}
