package io.sheaf.app.report;

import io.sheaf.app.page.Page;
import io.sheaf.app.page.Varints;
import io.sheaf.manager.Event.Outcome;
import io.sheaf.report.BackgroundLoad;
import io.sheaf.report.DecisionRecord;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.workflow.Category;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run as its page holds it: elements of data, in {@link Varints}, a row after the other. Times are milliseconds after the run's start.
 *
 * <table>
 *   <caption>Numbers of a row</caption>
 *   <tr><td>pilot jobs</td><td>token, nodes, walltime, submitted, wait (to the start, else to the end), run, whether it
 *       started, whether its start was expected and if so how long after submission, first row, rows</td></tr>
 *   <tr><td>attempts</td><td>pilot job, task, start since that of the attempt before, run, how it ended (0: it runs, 1: it succeeded), blocks of rows, each with first and length</td></tr>
 *   <tr><td>load</td><td>time since the point before, nodes used by background jobs, queued background jobs</td></tr>
 *   <tr><td>decisions</td><td>instant</td></tr>
 *   <tr><td>tasks</td><td>category, level</td></tr>
 * </table>
 * Names are texts of their own, joined by a zero.
 */
final class PackedRun {
    private final RunRecord run;
    private final Lanes lanes;
    private final String runIds;
    private final String workflowIds;
    private final long start;

    /** Packs a run; the prefixes are for the ids of its elements and its workflow's. */
    PackedRun(RunRecord run, Lanes lanes, String runIds, String workflowIds) {
        this.run = run;
        this.lanes = lanes;
        this.runIds = runIds;
        this.workflowIds = workflowIds;
        start = run.start();
    }

    /**
     * Writes the data of this run only.
     *
     * @param facts attributes of the pilot jobs' element, for the script
     */
    void writeRun(BackgroundLoad load, Map<String, String> facts, Writer out) throws IOException {
        StringBuilder attributes = new StringBuilder();
        facts.forEach((name, value) -> attributes.append(" data-" + name + "=\"" + Page.escape(value) + "\""));
        element(runIds + "pilot-jobs", run.jobs().size(), jobs(), attributes.toString(), out);
        element(runIds + "attempts", lanes.bars().size(), attempts(), "", out);
        element(runIds + "load", load.points().size(), load(load), "", out);
        Varints instants = new Varints();
        for (DecisionRecord decision : run.decisions()) {
            instants.add(decision.at() - start);
        }
        element(runIds + "instants", run.decisions().size(), instants, "", out);
        names(runIds + "ends", run.jobs().stream().map(job -> job.end().word()).toList(), out);
        names(runIds + "claims", run.jobs().stream().map(JobRecord::claim).toList(), out);
    }

    /** Writes the data that all runs of the workflow share. */
    void writeWorkflow(Writer out) throws IOException {
        int tasks = run.workflow().size();
        Varints kinds = new Varints();
        for (int task = 0; task < tasks; task++) {
            kinds.add(run.workflow().categoryNumber(task)).add(run.workflow().level(task));
        }
        element(workflowIds + "tasks", tasks, kinds, "", out);
        Stream<String> ids = IntStream.range(0, tasks).mapToObj(run.workflow()::id);
        names(workflowIds + "names", ids.toList(), out);
        Stream<String> categories = run.workflow().categories().stream().map(Category::name);
        names(workflowIds + "categories", categories.toList(), out);
    }

    private Varints jobs() {
        Varints packed = new Varints();
        for (int j = 0; j < run.jobs().size(); j++) {
            JobRecord job = run.jobs().get(j);
            long ended = job.hasEnded() ? job.ended() : Math.max(run.end(), job.submitted());
            long waited = (job.hasStarted() ? job.started() : ended) - job.submitted();
            packed.add(job.token())
                    .add(job.nodes())
                    .add(job.walltime())
                    .add(job.submitted() - start)
                    .add(waited)
                    .add(ended - job.submitted() - waited)
                    .add(job.hasStarted() ? 1 : 0)
                    .add(job.wasExpected() ? 1 + job.expectedStart() - job.submitted() : 0)
                    .add(lanes.first(j))
                    .add(lanes.rows(j));
        }
        return packed;
    }

    private Varints attempts() {
        Varints packed = new Varints();
        long before = start;
        for (Lanes.Bar bar : lanes.bars()) {
            packed.add(bar.job())
                    .add(bar.attempt().task())
                    .add(bar.attempt().started() - before)
                    .add(bar.attempt().ended() - bar.attempt().started())
                    .add(code(bar.attempt().outcome()))
                    .add(bar.blocks().size());
            bar.blocks().forEach(block -> packed.add(block.first()).add(block.length()));
            before = bar.attempt().started();
        }
        return packed;
    }

    /** The outcome's code in the page's script. */
    private static int code(@Nullable Outcome outcome) {
        if (outcome == null) {
            return 0;
        }
        return switch (outcome) {
            case SUCCEEDED -> 1;
            case FAILED, TIME_LIMIT, NOT_RUNNABLE -> 2;
            case OUT_OF_MEMORY -> 3;
            case CUT_OFF -> 4;
            case STOPPED -> 5;
            case NODE_LOST, PREEMPTED -> 6;
            case UNKNOWN -> 7;
        };
    }

    private Varints load(BackgroundLoad load) {
        Varints packed = new Varints();
        long before = start;
        for (BackgroundLoad.Point point : load.points()) {
            packed.add(point.at() - before).add(point.busy()).add(point.queued());
            before = point.at();
        }
        return packed;
    }

    private static void element(String id, int count, Varints packed, String more, Writer out) throws IOException {
        write(id, count, packed.base64(), more, out);
    }

    private static void write(String id, int count, String base64, String more, Writer out) throws IOException {
        out.write("<script type=\"application/octet-stream\" id=\"" + id + "\" data-count=\"" + count + "\"" + more
                + ">");
        out.write(base64);
        out.write("</script>\n");
    }

    private static void names(String id, List<String> names, Writer out) throws IOException {
        byte[] text = String.join("\0", names).getBytes(StandardCharsets.UTF_8);
        write(id, names.size(), Base64.getEncoder().encodeToString(text), "", out);
    }
}
