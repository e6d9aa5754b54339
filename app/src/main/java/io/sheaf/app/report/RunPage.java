package io.sheaf.app.report;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.page.Page;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        Page.of(RunPage.class, "run.html", run.workflow().name() + " · " + run.strategy() + " · Sheaf run")
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
                .html("decisions", DecisionList.html(run))
                .html("gantt", RunChart.markup())
                .html("data", data.toString())
                .style(RunChart.style() + Page.resource(RunPage.class, "run.css"))
                .script(RunChart.script() + "\n" + Page.resource(RunPage.class, "run.js"))
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
        columns.labels()
                .forEach(name -> table.append("<th scope=\"col\">").append(name).append("</th>"));
        table.append("</tr></thead>\n<tbody>\n");
        for (JobRecord job : run.jobs().subList(0, Math.min(MAX_JOBS, run.jobs().size()))) {
            List<String> cells = columns.cells(job);
            table.append("<tr data-job=\"" + job.token() + "\"><th scope=\"row\">" + cells.get(0) + "</th>");
            cells.subList(1, cells.size())
                    .forEach(cell ->
                            table.append("<td>").append(Page.escape(cell)).append("</td>"));
            table.append("</tr>\n");
        }
        if (run.jobs().size() > MAX_JOBS) {
            table.append("<tr><td colspan=\"" + columns.labels().size() + "\">and "
                    + (run.jobs().size() - MAX_JOBS) + " more</td></tr>\n");
        }
        return table.append("</tbody>").toString();
    }
}
