package io.sheaf.app.report;

import io.sheaf.app.page.Page;
import io.sheaf.formats.picture.Svg;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * A page that shows several runs of one workflow on the same time scale.
 *
 * @param where the cluster and its queue, as text
 * @param runs in display order
 */
public record RacePage(String where, List<RunRecord> runs) {
    private static final int WIDTH = 1200;
    private static final int ROW = 14;
    private static final int LABEL_WIDTH = 60;
    private static final long[] STEPS = {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600};

    public void write(Writer out) throws IOException {
        StringBuilder body = new StringBuilder();
        runs.forEach(run -> body.append(section(run)));
        String name = runs.get(0).workflow().name();
        Page.of(RacePage.class, "race.html", name + " · Sheaf race")
                .text("title", name)
                .text("place", where)
                .html("runs", body.toString())
                .style(Page.resource(RacePage.class, "race.css"))
                .script("")
                .write(out);
    }

    private long span() {
        return runs.stream().mapToLong(RunRecord::makespanMillis).reduce(1, Math::max);
    }

    private String section(RunRecord run) {
        String submits = submits(run.strategy());
        String facts = (submits.isEmpty() ? "" : "submits " + submits + "; ")
                + (run.completed() ? "makespan " : "not completed, ended after ") + seconds(run.makespanMillis())
                + ", no job running for " + seconds(run.perceivedWaitMillis())
                + "; " + seconds(run.allocatedNodeMillis()) + " node time allocated, "
                + seconds(run.usedNodeMillis()) + " used";
        return "<section><h2>" + Page.escape(run.strategy()) + "</h2><p class=\"hint\">" + Page.escape(facts) + "</p>\n"
                + picture(run) + "</section>\n";
    }

    /** A time in seconds, also for long times, so that runs can be compared. */
    public static String seconds(long millis) {
        return DecimalText.fixed(millis / 1000.0, 1) + " s";
    }

    private String picture(RunRecord run) {
        Lanes lanes = new Lanes(run);
        int height = lanes.rows() * ROW + 20;
        Svg svg = Svg.inPage(WIDTH, height, "jobs and tasks over time");
        scale(svg, height);
        for (int j = 0; j < run.jobs().size(); j++) {
            JobRecord job = run.jobs().get(j);
            long end = job.hasEnded() ? job.ended() : run.end();
            long start = job.hasStarted() ? job.started() : end;
            String label = "job " + job.token() + ": " + job.nodes() + " nodes × " + Rounded.time(job.walltime());
            Rows.Block rows = new Rows.Block(lanes.first(j), lanes.rows(j));
            String waited = label + ", waited " + Rounded.time(start - job.submitted());
            bar(svg, run, "queued", job.submitted(), start, rows, waited);
            bar(svg, run, "allocated", start, end, rows, label + ", ran " + Rounded.time(end - start));
        }
        for (Lanes.Bar bar : lanes.bars()) {
            String id = run.workflow().id(bar.attempt().task());
            long start = bar.attempt().started();
            long end = bar.attempt().ended();
            String kind = bar.attempt().done() ? "task" : "failed";
            for (Rows.Block block : bar.blocks()) {
                bar(svg, run, kind, start, end, block, id + ", " + Rounded.time(end - start));
                if (x(run, end) - x(run, start) > LABEL_WIDTH) {
                    svg.text(x(run, start) + 3, block.first() * ROW + ROW - 4, id, "class", "name");
                }
            }
        }
        double done = x(run, run.end());
        svg.line(done, 0, done, height - 20, "class", "end");
        return svg.close("svg").toString();
    }

    /** Draws lines at round instants, the same in every chart. */
    private void scale(Svg svg, int height) {
        long step = STEPS[STEPS.length - 1];
        for (int i = STEPS.length - 1; i >= 0 && span() / 1000 / STEPS[i] <= 12; i--) {
            step = STEPS[i];
        }
        for (long second = 0; second * 1000 <= span(); second += step) {
            double x = (double) second * 1000 / span() * (WIDTH - 2);
            svg.line(x, 0, x, height - 20, "class", "grid");
            svg.text(x, height - 5, second + " s", "class", "tick");
        }
    }

    private void bar(Svg svg, RunRecord run, String kind, long from, long to, Rows.Block rows, String title) {
        if (to > from) {
            double width = Math.max(1, x(run, to) - x(run, from));
            svg.rectangle(x(run, from), rows.first() * ROW + 1, width, rows.length() * ROW - 2, title, "class", kind);
        }
    }

    private double x(RunRecord run, long at) {
        return (double) Math.max(0, Math.min(span(), at - run.start())) / span() * (WIDTH - 2);
    }

    /**
     * A short description of what a strategy submits; empty if there is none.
     *
     * @param strategy its name, with or without parameters
     */
    public static String submits(String strategy) {
        return switch (strategy.split(":", 2)[0]) {
            case "onejobpertask", "individual" -> "one job per ready task";
            case "onejob" -> "the whole workflow as one job, sized for the earliest end";
            case "giant" -> "the whole workflow as one job, as wide as its widest level";
            case "levelbylevel" -> "one job per level, after the previous level";
            case "zhang", "hybrid" -> "groups of levels with the lowest ratio of wait to run time";
            case "glume" -> "groups of levels with the lowest estimated makespan";
            case "auto" -> "pilot jobs without fixed tasks, several for the same work if that shortens the makespan";
            default -> "";
        };
    }
}
