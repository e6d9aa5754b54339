package io.sheaf.app.report;

import io.sheaf.app.page.Page;
import io.sheaf.report.Job;
import io.sheaf.report.Neighbour;
import io.sheaf.report.RunRecord;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.util.List;

/**
 * A picture of a run on its cluster, as SVG: above, who had which nodes when, others in grey, ours framed with their tasks in them; below, a row for each job of
 * ours, hatched while it waited in the queue and filled while it ran.
 *
 * <p>The same run gives the same bytes.
 */
public final class RunPicture {
    /** Told apart by those who see few colours (Okabe and Ito); one after the other for the levels of the workflow. */
    private static final String[] COLOURS = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"};

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
    private static final int MOST_ROWS = 24;
    private static final double LETTER = 6.2;
    private static final long MINUTE = 60_000;
    /** How much time a picture may span, in minutes; few spans, so that pictures of runs on the same queue can be compared. */
    private static final long[] SPANS = {1, 2, 5, 10, 20, 60, 120, 300, 600, 1440, 2880, 7200, 14_400, 28_800, 144_000};

    private static final int MOST_STEPS = 10;

    private final RunRecord run;
    private final List<Neighbour> others;
    private final NodePlaces places;
    private final Lanes lanes;
    private final double node;
    private final long span;
    private final StringBuilder out = new StringBuilder();

    public RunPicture(RunRecord run, List<Neighbour> others) {
        this.run = run;
        this.others = List.copyOf(others);
        places = new NodePlaces(run, others);
        lanes = new Lanes(run);
        node = (double) HEIGHT / run.nodes();
        span = span(run.makespanMillis());
    }

    private static long span(long makespan) {
        for (long minutes : SPANS) {
            if (minutes * MINUTE >= makespan) {
                return minutes * MINUTE;
            }
        }
        return makespan;
    }

    /** The picture. */
    public String svg() {
        int rows = Math.min(run.jobs().size(), MOST_ROWS);
        int more = run.jobs().size() - rows;
        int height = TOP + HEIGHT + GAP + rows * ROW + (more > 0 ? ROW : 0) + 8;
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + WIDTH + "\" height=\"" + height
                + "\" viewBox=\"0 0 " + WIDTH + " " + height + "\" font-family=\"sans-serif\" font-size=\"11\">\n");
        out.append("<title>" + Page.escape(title()) + "</title>\n");
        out.append("<defs><pattern id=\"waits\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                + "<path d=\"M0 6L6 0\" stroke=\"" + QUIET + "\"/></pattern></defs>\n");
        rectangle(0, 0, WIDTH, height, "fill=\"#ffffff\"", "");
        text(LEFT, 18, "font-size=\"14\" font-weight=\"bold\"", title());
        axis(height - 4);
        text(4, TOP + 11, "fill=\"" + QUIET + "\"", run.nodes() + " nodes");
        for (int i = 0; i < others.size(); i++) {
            other(i);
        }
        for (int i = 0; i < run.jobs().size(); i++) {
            frame(i);
        }
        lanes.bars().forEach(this::task);
        rectangle(LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT, "fill=\"none\" stroke=\"" + QUIET + "\"", "");
        end();
        text(
                4,
                TOP + HEIGHT + GAP - 6,
                "fill=\"" + QUIET + "\"",
                "pilot jobs: hatched while queued, filled while running");
        for (int i = 0; i < rows; i++) {
            waiting(i, TOP + HEIGHT + GAP + i * ROW);
        }
        if (more > 0) {
            text(LEFT, TOP + HEIGHT + GAP + rows * ROW + 12, "fill=\"" + QUIET + "\"", "and " + more + " more jobs");
        }
        return out.append("</svg>\n").toString();
    }

    private String title() {
        return run.strategy() + ": " + (run.completed() ? "makespan " : "not completed after ")
                + Rounded.time(run.makespanMillis()) + ", " + Rounded.hours(run.heldNodeMillis())
                + " node-hours allocated, "
                + Rounded.hours(run.usedNodeMillis()) + " used";
    }

    private void axis(double bottom) {
        long step = Math.max(1, span / MOST_STEPS);
        for (long at = 0; at <= span; at += step) {
            double x = x(run.start() + at);
            out.append("<path d=\"M" + number(x) + " " + TOP + "V" + number(bottom) + "\" stroke=\"#e7eaee\"/>\n");
            text(x, TOP - 6, "fill=\"" + QUIET + "\" text-anchor=\"middle\"", at == 0 ? "0" : clock(at));
        }
    }

    private static String clock(long at) {
        return Rounded.time(at).replace(".0 ", " ");
    }

    /** Where the last task is done. */
    private void end() {
        double x = x(run.end());
        out.append("<path d=\"M" + number(x) + " " + TOP + "V" + (TOP + HEIGHT + 4)
                + "\" stroke=\"#1b1f24\" stroke-dasharray=\"4 3\"/>\n");
        text(
                Math.min(x, WIDTH - RIGHT - 16),
                TOP + HEIGHT + 15,
                "text-anchor=\"middle\"",
                run.completed() ? "done" : "stopped");
    }

    private void other(int i) {
        Neighbour job = others.get(i);
        double from = x(job.started());
        double to = x(job.ended() == Job.NEVER ? run.end() : job.ended());
        for (Rows.Block block : places.others(i)) {
            box(
                    from,
                    to,
                    block.first(),
                    block.length(),
                    "fill=\"" + OTHERS + "\" stroke=\"#ffffff\"",
                    "job " + job.id() + " (background)",
                    QUIET);
        }
    }

    private void frame(int i) {
        Job job = run.jobs().get(i);
        for (Rows.Block block : places.ours(i)) {
            rectangle(
                    x(job.started()),
                    TOP + block.first() * node,
                    x(job.hasEnded() ? job.ended() : run.end()) - x(job.started()),
                    block.length() * node,
                    "fill=\"" + IDLE + "\" stroke=\"" + COLOURS[0] + "\" stroke-width=\"2\"",
                    words(job));
        }
    }

    private static String words(Job job) {
        return job.nodes() + (job.nodes() == 1 ? " node" : " nodes") + " for " + Rounded.time(job.walltime())
                + (job.claim().isEmpty() ? "" : ", " + job.claim());
    }

    private void task(Lanes.Bar bar) {
        int cores = lanes.rowsPerNode();
        int top = lanes.first(bar.job());
        String colour = COLOURS[run.workflow().level(bar.attempt().task()) % COLOURS.length];
        for (Rows.Block block : bar.blocks()) {
            for (int row = block.first() - top; row < block.first() - top + block.length(); row++) {
                double y = places.node(bar.job(), row / cores) + (double) (row % cores) / cores;
                box(
                        x(bar.attempt().started()),
                        x(bar.attempt().ended()),
                        y,
                        1.0 / cores,
                        "fill=\"" + colour + "\" stroke=\"#ffffff\""
                                + (bar.attempt().done() ? "" : " fill-opacity=\"0.4\""),
                        run.workflow().id(bar.attempt().task()),
                        "#ffffff");
            }
        }
    }

    /** A box over some nodes, with its words in it where there is room. */
    private void box(double from, double to, double first, double length, String how, String words, String ink) {
        double y = TOP + first * node;
        rectangle(from, y, to - from, length * node, how, words);
        double wide = words.length() * LETTER + 6;
        if (to - from >= wide && length * node >= 11) {
            text((from + to) / 2, y + length * node / 2 + 4, "fill=\"" + ink + "\" text-anchor=\"middle\"", words);
        }
    }

    private void waiting(int i, double y) {
        Job job = run.jobs().get(i);
        double submitted = x(job.submitted());
        double ended = x(job.hasEnded() ? job.ended() : run.end());
        double started = job.hasStarted() ? x(job.started()) : ended;
        text(4, y + 12, "", "job " + (i + 1));
        rectangle(
                submitted,
                y + 3,
                started - submitted,
                ROW - 6,
                "fill=\"url(#waits)\" stroke=\"" + QUIET + "\"",
                "queued");
        if (job.hasStarted()) {
            rectangle(started, y + 3, ended - started, ROW - 6, "fill=\"" + COLOURS[0] + "\"", "running");
        }
        String words = words(job)
                + (job.how() == Job.End.RELEASED ? "" : ", " + job.how().word());
        double wide = words.length() * LETTER;
        boolean right = ended + 6 + wide <= WIDTH - RIGHT;
        String side = right ? "" : " text-anchor=\"end\"";
        if (right || submitted - 6 - wide >= LEFT) {
            text(right ? ended + 6 : submitted - 6, y + 12, "fill=\"" + QUIET + "\"" + side, words);
        } else {
            // In front of the bars, where they fill the row.
            rectangle(LEFT + 8, y + 3, wide + 8, ROW - 6, "fill=\"#ffffff\" fill-opacity=\"0.9\"", "");
            text(LEFT + 12, y + 12, "", words);
        }
    }

    /** Where an instant is; what is before the run began is at the edge. */
    private double x(long at) {
        double share = span == 0 ? 0 : (double) (at - run.start()) / span;
        return LEFT + Math.max(0, Math.min(1, share)) * (WIDTH - LEFT - RIGHT);
    }

    private void rectangle(double x, double y, double width, double height, String how, String words) {
        if (width > 0) {
            out.append("<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(width) + "\" height=\""
                    + number(height) + "\" " + how
                    + (words.isEmpty() ? "/>\n" : "><title>" + Page.escape(words) + "</title></rect>\n"));
        }
    }

    private void text(double x, double y, String how, String words) {
        out.append("<text x=\"" + number(x) + "\" y=\"" + number(y) + "\"" + (how.isEmpty() ? "" : " " + how) + ">"
                + Page.escape(words) + "</text>\n");
    }

    private static String number(double value) {
        String text = DecimalText.fixed(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
