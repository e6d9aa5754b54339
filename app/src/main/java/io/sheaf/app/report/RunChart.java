package io.sheaf.app.report;

import io.sheaf.app.page.Page;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.RunRecord;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.io.Writer;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The chart of runs in a page: markup, style, script and data. */
public final class RunChart {
    private static final List<String> SCRIPTS = List.of("timeline.js", "steps.js", "gantt.js", "run-view.js");

    private final Writer out;
    private final IdentityHashMap<Workflow, String> workflows = new IdentityHashMap<>();

    /** Creates a chart that writes data of runs to a page. */
    public RunChart(Writer out) {
        this.out = out;
    }

    /** Puts the chart and this data of its runs into a page with a style and a script of its own. */
    public static Page into(Page page, String data, String style, String script) {
        String scripts = SCRIPTS.stream()
                .map(file -> Page.resource(Page.class, file) + "\n")
                .collect(Collectors.joining());
        return page.html("gantt", Page.resource(Page.class, "run-view.html"))
                .html("data", data)
                .style(Page.resource(Page.class, "run-view.css") + style)
                .script(scripts + script);
    }

    /**
     * Writes the data of a run; ids begin with its number. Data shared by runs of a workflow is written once.
     *
     * @param title a description of the run
     */
    public void write(long number, String title, RunRecord run) throws IOException {
        String workflow = workflows.get(run.workflow());
        boolean isNew = workflow == null;
        if (workflow == null) {
            workflow = "w" + (workflows.size() + 1) + "-";
            workflows.put(run.workflow(), workflow);
        }
        Lanes lanes = new Lanes(run);
        PackedRun packed = new PackedRun(run, lanes, "r" + number + "-", workflow);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("title", title);
        facts.put("workflow", workflow);
        facts.put("nodes", Integer.toString(run.nodes()));
        facts.put("cores", Integer.toString(lanes.rowsPerNode()));
        facts.put("rows", Integer.toString(lanes.rows()));
        facts.put("levels", Integer.toString(run.workflow().levels()));
        facts.put("makespan", Long.toString(run.makespanMillis()));
        packed.writeRun(BackgroundLoad.UNKNOWN, facts, out);
        if (isNew) {
            packed.writeWorkflow(out);
        }
    }
}
