package io.sheaf.app.report;

import io.sheaf.app.page.Page;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.Decided;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A page about a run: figures, a Gantt chart of pilot jobs and tasks, background load, expected and actual starts, and
 * all decisions.
 *
 * <p>Deterministic: it contains no date, host or path.
 *
 * @param where the cluster and its queue, as text
 * @param load the background load; {@link BackgroundLoad#UNKNOWN} omits its charts
 * @param facts further figures as text, by name
 */
public record RunPage(RunRecord run, String where, BackgroundLoad load, Map<String, String> facts) {

    /** Writes the page. */
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
                .text("nodes", Integer.toString(run.nodes()))
                .text("cores", Integer.toString(lanes.rowsPerNode()))
                .text("makespan", Long.toString(run.makespanMillis()))
                .text("rows", Integer.toString(lanes.rows()))
                .text("levels", Integer.toString(run.workflow().levels()))
                .html("loadhidden", load.points().isEmpty() ? " hidden" : "")
                .facts(allFacts())
                .html("jobs", RunJobTable.html(run))
                .html("decisions", DecisionList.html(run))
                .html("gantt", RunChart.markup())
                .html("data", data.toString())
                .style(RunChart.style() + Page.resource(RunPage.class, "run.css"))
                .script(RunChart.script() + "\n" + Page.resource(RunPage.class, "run.js"))
                .write(out);
    }

    private Map<String, String> allFacts() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(run.completed() ? "makespan" : "makespan (not completed)", Rounded.time(run.makespanMillis()));
        run.decisions().stream()
                .mapToLong(Decided::expectedEnd)
                .filter(end -> end != Job.NEVER)
                .findFirst()
                .ifPresent(end -> all.put("first estimate", Rounded.time(end - run.start())));
        all.put("no job running", Rounded.time(run.perceivedWaitMillis()));
        all.put("queue wait (sum)", Rounded.time(run.waitMillis()));
        all.put("node-hours used", Rounded.hours(run.usedNodeMillis()));
        all.put("node-hours idle", Rounded.hours(run.heldNodeMillis() - run.usedNodeMillis()));
        all.put(
                "pilot jobs",
                Rounded.count(run.jobs().size()) + (run.expired() > 0 ? ", " + run.expired() + " expired" : ""));
        all.put(
                "tasks",
                Rounded.count(run.workflow().size())
                        + (run.retries() > 0
                                ? ", " + run.retries() + (run.retries() == 1 ? " retry" : " retries")
                                : ""));
        all.putAll(facts);
        return all;
    }
}
