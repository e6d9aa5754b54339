package io.sheaf.app.report;

import io.sheaf.formats.picture.Palette;
import io.sheaf.formats.picture.Svg;
import io.sheaf.report.BackgroundJob;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.text.Rounded;
import java.util.List;

/**
 * A chart of a run on its cluster, as SVG. The upper part shows nodes over time: background jobs in grey, our pilot
 * jobs framed around their tasks. The lower part has a row per pilot job, hatched while queued and filled while
 * running.
 *
 * <p>Deterministic: the same run gives the same bytes.
 */
public final class RunPicture {
    /** The number of colours for levels of the workflow. */
    private static final int COLOURS = 6;

    private static final String OTHERS = "#d4d8dd";
    private static final String QUIET = "#59636e";
    private static final String IDLE = "#e3eef6";
    private static final int WIDTH = 900;
    private static final int LEFT = 64;
    private static final int RIGHT = 14;
    private static final int TOP = 46;
    private static final int HEIGHT = 224;
    private static final int GAP = 44;
    private static final int ROW = 18;
    private static final int MAX_ROWS = 24;
    private static final double LETTER = 6.2;
    private static final long MINUTE = 60_000;
    /** The possible time spans in minutes; few, so that charts of the same queue can be compared. */
    private static final long[] SPANS = {1, 2, 5, 10, 20, 60, 120, 300, 600, 1440, 2880, 7200, 14_400, 28_800, 144_000};

    private static final int MAX_STEPS = 10;

    private final RunRecord run;
    private final List<BackgroundJob> neighbours;
    private final NodePlaces places;
    private final Lanes lanes;
    private final double node;
    private final int rows;
    private final int height;
    private final long span;
    private final Svg svg;

    public RunPicture(RunRecord run, List<BackgroundJob> neighbours) {
        this.run = run;
        this.neighbours = List.copyOf(neighbours);
        places = new NodePlaces(run, neighbours);
        lanes = new Lanes(run);
        node = (double) HEIGHT / run.nodes();
        span = span(run.makespanMillis());
        rows = Math.min(run.jobs().size(), MAX_ROWS);
        height = TOP + HEIGHT + GAP + rows * ROW + (run.jobs().size() > rows ? ROW : 0) + 8;
        svg = Svg.picture(WIDTH, height, "font-family", "sans-serif", "font-size", 11);
    }

    private static long span(long makespan) {
        for (long minutes : SPANS) {
            if (minutes * MINUTE >= makespan) {
                return minutes * MINUTE;
            }
        }
        return makespan;
    }

    /** The chart as SVG. */
    public String svg() {
        int more = run.jobs().size() - rows;
        svg.holding("title", title())
                .raw("<defs><pattern id=\"waits\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                        + "<path d=\"M0 6L6 0\" stroke=\"" + QUIET + "\"/></pattern></defs>\n")
                .rectangle(0, 0, WIDTH, height, "", "fill", "#ffffff")
                .text(LEFT, 18, title(), "font-size", 14, "font-weight", "bold");
        axis(height - 4);
        svg.text(4, TOP + 11, run.nodes() + " nodes", "fill", QUIET);
        for (int i = 0; i < neighbours.size(); i++) {
            other(i);
        }
        for (int i = 0; i < run.jobs().size(); i++) {
            frame(i);
        }
        lanes.bars().forEach(this::task);
        svg.rectangle(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT, "", "fill", "none", "stroke", QUIET);
        end();
        svg.text(4, TOP + HEIGHT + GAP - 6, "pilot jobs: hatched while queued, filled while running", "fill", QUIET);
        for (int i = 0; i < rows; i++) {
            waiting(i, TOP + HEIGHT + GAP + i * ROW);
        }
        if (more > 0) {
            svg.text(LEFT, TOP + HEIGHT + GAP + rows * ROW + 12, "and " + more + " more jobs", "fill", QUIET);
        }
        return svg.close("svg").toString();
    }

    private String title() {
        return run.strategy() + ": " + (run.completed() ? "makespan " : "not completed after ")
                + Rounded.time(run.makespanMillis()) + ", " + Rounded.hours(run.allocatedNodeMillis())
                + " node-hours allocated, "
                + Rounded.hours(run.usedNodeMillis()) + " used";
    }

    private void axis(double bottom) {
        long step = Math.max(1, span / MAX_STEPS);
        for (long at = 0; at <= span; at += step) {
            double x = x(run.start() + at);
            svg.empty("path", "d", "M" + svg.number(x) + " " + TOP + "V" + svg.number(bottom), "stroke", "#e7eaee");
            svg.text(x, TOP - 6, at == 0 ? "0" : clock(at), "fill", QUIET, "text-anchor", "middle");
        }
    }

    private static String clock(long at) {
        return Rounded.time(at).replace(".0 ", " ");
    }

    /** Marks the end of the last task. */
    private void end() {
        double x = x(run.end());
        String down = "M" + svg.number(x) + " " + TOP + "V" + (TOP + HEIGHT + 4);
        svg.empty("path", "d", down, "stroke", "#1b1f24", "stroke-dasharray", "4 3");
        String text = run.completed() ? "done" : "stopped";
        svg.text(Math.min(x, WIDTH - RIGHT - 16), TOP + HEIGHT + 15, text, "text-anchor", "middle");
    }

    private void other(int i) {
        BackgroundJob job = neighbours.get(i);
        double from = x(job.started());
        double to = x(job.ended() == JobRecord.NEVER ? run.end() : job.ended());
        String label = "job " + job.id() + " (background)";
        for (Rows.Block block : places.backgroundBlocks(i)) {
            box(from, to, block.first(), block.length(), label, QUIET, "fill", OTHERS, "stroke", "#ffffff");
        }
    }

    private void frame(int i) {
        JobRecord job = run.jobs().get(i);
        double from = x(job.started());
        double width = x(job.hasEnded() ? job.ended() : run.end()) - from;
        Object[] style = {"fill", IDLE, "stroke", Palette.line(0), "stroke-width", 2};
        for (Rows.Block block : places.ownBlocks(i)) {
            rectangle(from, TOP + block.first() * node, width, block.length() * node, words(job), style);
        }
    }

    private static String words(JobRecord job) {
        return job.nodes() + (job.nodes() == 1 ? " node" : " nodes") + " for " + Rounded.time(job.walltime())
                + (job.claim().isEmpty() ? "" : ", " + job.claim());
    }

    private void task(Lanes.Bar bar) {
        int cores = lanes.rowsPerNode();
        int top = lanes.first(bar.job());
        String colour = Palette.line(run.workflow().level(bar.attempt().task()) % COLOURS);
        Object[] style = {
            "fill", colour, "stroke", "#ffffff", "fill-opacity", bar.attempt().done() ? "" : "0.4"
        };
        double from = x(bar.attempt().started());
        double to = x(bar.attempt().ended());
        String id = run.workflow().id(bar.attempt().task());
        for (Rows.Block block : bar.blocks()) {
            for (int row = block.first() - top; row < block.first() - top + block.length(); row++) {
                double y = places.node(bar.job(), row / cores) + (double) (row % cores) / cores;
                box(from, to, y, 1.0 / cores, id, "#ffffff", style);
            }
        }
    }

    /** Draws a box over some nodes, with a label if it fits. */
    private void box(
            double from, double to, double first, double length, String words, String ink, Object... attributes) {
        double y = TOP + first * node;
        rectangle(from, y, to - from, length * node, words, attributes);
        double wide = words.length() * LETTER + 6;
        if (to - from >= wide && length * node >= 11) {
            svg.text((from + to) / 2, y + length * node / 2 + 4, words, "fill", ink, "text-anchor", "middle");
        }
    }

    private void waiting(int i, double y) {
        JobRecord job = run.jobs().get(i);
        double submitted = x(job.submitted());
        double ended = x(job.hasEnded() ? job.ended() : run.end());
        double started = job.hasStarted() ? x(job.started()) : ended;
        svg.text(4, y + 12, "job " + (i + 1));
        rectangle(submitted, y + 3, started - submitted, ROW - 6, "queued", "fill", "url(#waits)", "stroke", QUIET);
        if (job.hasStarted()) {
            rectangle(started, y + 3, ended - started, ROW - 6, "running", "fill", Palette.line(0));
        }
        String words = words(job)
                + (job.end() == JobRecord.End.RELEASED ? "" : ", " + job.end().word());
        double wide = words.length() * LETTER;
        boolean right = ended + 6 + wide <= WIDTH - RIGHT;
        if (right || submitted - 6 - wide >= LEFT) {
            String anchor = right ? "" : "end";
            svg.text(right ? ended + 6 : submitted - 6, y + 12, words, "fill", QUIET, "text-anchor", anchor);
        } else {
            // Drawn over the bars if they fill the row.
            svg.rectangle(LEFT + 8, y + 3, wide + 8, ROW - 6, "", "fill", "#ffffff", "fill-opacity", 0.9);
            svg.text(LEFT + 12, y + 12, words);
        }
    }

    /** The horizontal position of an instant; the left edge before the run's start. */
    private double x(long at) {
        double share = span == 0 ? 0 : (double) (at - run.start()) / span;
        return LEFT + Math.max(0, Math.min(1, share)) * (WIDTH - LEFT - RIGHT);
    }

    private void rectangle(double x, double y, double width, double height, String title, Object... attributes) {
        if (width > 0) {
            svg.rectangle(x, y, width, height, title, attributes);
        }
    }
}
