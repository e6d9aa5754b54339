package io.sheaf.app.report;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.page.Page;
import io.sheaf.manager.Order;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/**
 * A page about a run: figures, a Gantt chart of pilot jobs and tasks, background load, expected and actual starts, and
 * all decisions.
 *
 * <p>Deterministic: it contains no date, host or path of its own.
 *
 * @param where the cluster and its queue, as text
 * @param load the background load; {@link BackgroundLoad#UNKNOWN} omits its charts
 * @param facts further figures as text, by name
 * @param origin when, by which command and with which version it ran, one line each; empty for simulated runs
 * @param failures a section on failed tasks as markup, before the chart
 * @param details further sections as markup, after the chart
 */
public record RunPage(
        RunRecord run,
        String where,
        BackgroundLoad load,
        Map<String, String> facts,
        List<String> origin,
        String failures,
        String details) {
    /** Rows of the table of jobs. */
    private static final int MAX_JOBS = 1000;

    public RunPage(RunRecord run, String where, BackgroundLoad load, Map<String, String> facts) {
        this(run, where, load, facts, List.of(), "", "");
    }

    public void write(Writer out) throws IOException {
        Lanes lanes = new Lanes(run);
        StringWriter data = new StringWriter();
        PackedRun packed = new PackedRun(run, lanes, "", "");
        packed.writeRun(load, Map.of(), data);
        packed.writeWorkflow(data);
        Page page = Page.of(RunPage.class, "run.html", run.workflow().name() + " · " + run.strategy() + " · Sheaf run")
                .text("title", run.workflow().name())
                .text("strategy", run.strategy())
                .text("place", where)
                .html("origin", originLines())
                .html("failures", failures)
                .html("details", details)
                .text("nodes", Integer.toString(run.nodes()))
                .text("cores", Integer.toString(lanes.rowsPerNode()))
                .text("makespan", Long.toString(run.makespanMillis()))
                .text("rows", Integer.toString(lanes.rows()))
                .text("levels", Integer.toString(run.workflow().levels()))
                .html("loadhidden", load.points().isEmpty() ? " hidden" : "")
                .facts(allFacts())
                .html("jobs", jobTable(run))
                .html("decisions", DecisionList.html(run));
        String style = Page.resource(RunPage.class, "run.css");
        RunChart.into(page, data.toString(), style, Page.resource(RunPage.class, "run.js"))
                .write(out);
    }

    private String originLines() {
        return origin.stream()
                .map(line -> "<p class=\"origin\">" + Page.escape(line) + "</p>\n")
                .collect(Collectors.joining());
    }

    private Map<String, String> allFacts() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(run.completed() ? "makespan" : "elapsed (not completed)", Rounded.time(run.makespanMillis()));
        all.putAll(facts);
        Explanation.firstExpectedEnd(run)
                .ifPresent(end -> all.put("first estimate of makespan", Rounded.time(end - run.start())));
        all.put("no job running", Rounded.time(run.perceivedWaitMillis()));
        all.put("total queue wait", Rounded.time(run.waitMillis()));
        all.put("node-hours used", Rounded.hours(run.usedNodeMillis()));
        all.put("node-hours idle", Rounded.hours(run.allocatedNodeMillis() - run.usedNodeMillis()));
        all.put(
                "pilot jobs",
                Rounded.count(run.jobs().size()) + (run.expired() > 0 ? ", " + run.expired() + " expired" : ""));
        all.putIfAbsent("tasks", Rounded.count(run.workflow().size()));
        all.put("retries", Rounded.count(run.retries()));
        return all;
    }

    /** The pilot jobs as an HTML table; the chart shows all of them. */
    private static String jobTable(RunRecord run) {
        Fields<JobRecord> columns = JobFigures.of(run.start());
        StringBuilder table = new StringBuilder("<thead><tr>");
        columns.labels().forEach(name -> table.append("<th scope=\"col\">" + name + "</th>"));
        table.append("</tr></thead>\n<tbody>\n");
        for (JobRecord job : run.jobs().subList(0, Math.min(MAX_JOBS, run.jobs().size()))) {
            List<String> cells = columns.cells(job);
            table.append("<tr data-job=\"" + job.token() + "\"><th scope=\"row\">" + cells.get(0) + "</th>");
            cells.subList(1, cells.size()).forEach(cell -> table.append("<td>" + Page.escape(cell) + "</td>"));
            table.append("</tr>\n");
        }
        if (run.jobs().size() > MAX_JOBS) {
            table.append("<tr><td colspan=\"" + columns.labels().size() + "\">and "
                    + (run.jobs().size() - MAX_JOBS) + " more</td></tr>\n");
        }
        return table.append("</tbody>").toString();
    }

    /** The decisions of a run as an HTML list: options, estimates, orders and outcomes. */
    private static final class DecisionList {
        /** The maximum number of listed decisions, for the browser's speed; the text explanation has all. */
        private static final int MAX_DECISIONS = 1000;

        private static final int OPEN = 3;

        private final RunRecord run;
        private final Map<Long, JobRecord> jobs = new HashMap<>();
        private final StringBuilder list = new StringBuilder();

        private DecisionList(RunRecord run) {
            this.run = run;
            run.jobs().forEach(job -> jobs.put(job.token(), job));
        }

        static String html(RunRecord run) {
            DecisionList made = new DecisionList(run);
            int count = Math.min(MAX_DECISIONS, run.decisions().size());
            for (int i = 0; i < count; i++) {
                made.entry(i, run.decisions().get(i));
            }
            if (count < run.decisions().size()) {
                made.list.append(
                        "<li>and " + (run.decisions().size() - count) + " more; 'sheaf explain' prints all.</li>\n");
            }
            return made.list.toString();
        }

        private void entry(int number, DecisionRecord decision) {
            list.append("<li id=\"decision" + number + "\"><details" + (number < OPEN ? " open" : "")
                    + "><summary><b>after " + Rounded.time(decision.at() - run.start()) + "</b> "
                    + Page.escape(decision.summary()) + "</summary>\n");
            options(decision);
            for (DecisionRecord.Ordered ordered : decision.orders()) {
                list.append("<p>").append(Page.escape(outcome(ordered))).append("</p>\n");
            }
            long expected = decision.expectedEnd();
            if (expected != JobRecord.NEVER) {
                list.append("<p>Estimated makespan " + Rounded.time(expected - run.start())
                        + (run.completed() ? "; actual " + Rounded.time(run.makespanMillis()) : "") + ".</p>\n");
            }
            list.append("<p><button type=\"button\" data-at=\"" + (decision.at() - run.start())
                    + "\">Show in the chart</button></p></details></li>\n");
        }

        private void options(DecisionRecord decision) {
            List<DecisionRecord.Option> options = decision.options();
            if (options.isEmpty()) {
                return;
            }
            int chosen = decision.chosenOption();
            list.append("<div class=\"scroll\"><table class=\"plain\"><thead><tr>");
            Explanation.OPTIONS.labels().forEach(label -> list.append("<th scope=\"col\">" + label + "</th>"));
            list.append("</tr></thead><tbody>\n");
            for (int i = 0; i < options.size(); i++) {
                String cells = Explanation.OPTIONS.cells(options.get(i)).stream()
                        .map(Page::escape)
                        .collect(Collectors.joining("</td><td>"));
                list.append((i == chosen ? "<tr class=\"chosen\"><td>✓ " : "<tr><td>") + cells + "</td></tr>\n");
            }
            list.append("</tbody></table></div>\n");
        }

        private String outcome(DecisionRecord.Ordered ordered) {
            JobRecord job = jobs.get(ordered.token());
            if (ordered.order() instanceof Order.Cancel) {
                return "Job " + ordered.token() + " was cancelled.";
            }
            if (ordered.order() instanceof Order.Drain) {
                return "Job " + ordered.token() + " was drained: no more tasks start in it.";
            }
            if (ordered.order() instanceof Order.Shorten shorten) {
                return "Job " + ordered.token() + " was shortened to " + Rounded.time(shorten.walltime()) + ".";
            }
            if (job == null) {
                return "Job " + ordered.token() + " was submitted; no further record of it.";
            }
            StringJoiner words = new StringJoiner(", ", "Job " + job.token() + " for " + job.claim() + ": ", ".");
            words.add(Rounded.count(job.nodes())
                    + (job.nodes() == 1 ? " node for " : " nodes for ")
                    + Rounded.time(job.walltime()));
            words.add(
                    job.wasExpected()
                            ? "estimated start after " + Rounded.time(job.expectedStart() - run.start())
                            : "no start estimate");
            words.add(job.hasStarted() ? "started after " + Rounded.time(job.started() - run.start()) : "not started");
            if (job.hasStarted() && job.wasExpected()) {
                words.add(Rounded.later(job.started() - job.expectedStart()));
            }
            words.add(job.end().word() + (job.hasEnded() ? " after " + Rounded.time(job.ended() - run.start()) : ""));
            return words.toString();
        }
    }
}
