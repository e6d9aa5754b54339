package io.sheaf.app.report;

import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.manager.AvoidedNode;
import io.sheaf.manager.TaskState;
import io.sheaf.report.JobRecord;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.DecimalText;
import io.sheaf.text.Rounded;
import io.sheaf.text.SizeText;
import io.sheaf.workflow.GpuText;
import io.sheaf.workflow.Resources;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The status of a run, as lines and a table of pilot jobs, and as JSON. Instants in JSON are relative to the run's
 * start.
 */
public final class StatusReport {
    private static final int BAR = 40;
    private static final int NAMED = 5;

    private StatusReport() {}

    /**
     * State, progress, failed tasks, makespan or elapsed time, estimated end.
     *
     * @param record the run's record; null while the run is active
     */
    public static List<String> head(RunStatus status, @Nullable RunRecord record) {
        List<String> lines = new ArrayList<>();
        lines.add(Fields.line("state", state(status)));
        lines.add(Fields.line("progress", bar(status)));
        lines.add(Fields.line("tasks", tasks(status)));
        if (!status.failed().isEmpty()) {
            lines.add(Fields.line("failed", failures(status)));
        }
        lines.add(
                record != null && status.state().isFinished()
                        ? Fields.line("makespan", Rounded.time(record.makespanMillis()))
                        : Fields.line("elapsed", Rounded.time(status.at() - status.begun())));
        if (status.expectedEnd() != JobRecord.NEVER) {
            lines.add(Fields.line(
                    "estimated end",
                    distance(status.expectedEnd(), status.at()) + ", "
                            + Rounded.time(status.expectedEnd() - status.begun()) + " after the start"));
        }
        lines.addAll(avoided(status));
        return lines;
    }

    /** The first tasks that failed, by name. */
    public static String failures(RunStatus status) {
        int named = Math.min(NAMED, status.failed().size());
        int more = status.failed().size() - named;
        return String.join(", ", status.failed().subList(0, named)) + (more > 0 ? " and " + more + " more" : "");
    }

    /** The allocated and used node-hours. */
    public static String nodeHours(RunRecord record) {
        return Rounded.hours(record.allocatedNodeMillis()) + " allocated, " + Rounded.hours(record.usedNodeMillis())
                + " used";
    }

    /** The nodes that new pilot jobs exclude, with the reason. */
    public static List<String> avoided(RunStatus status) {
        return status.avoided().stream()
                .map(node -> Fields.line(
                        "avoided node",
                        node.host() + " for " + Rounded.time(node.until() - status.at()) + ": " + node.reason()))
                .toList();
    }

    /** Writes {@code avoidedNodes[]} into an open object. */
    public static void avoided(JsonOut out, RunStatus status) {
        AVOIDED.array(out, "avoidedNodes", status.avoided());
    }

    private static String state(RunStatus status) {
        String why = status.why().isEmpty() ? "" : ": " + status.why();
        boolean managed = status.state() != RunState.INTERRUPTED && status.state() != RunState.IDLE;
        return status.state().word() + why + (managed ? "" : ": no manager is running");
    }

    private static String bar(RunStatus status) {
        int done = status.tasks(TaskState.DONE);
        int all = Math.max(1, status.size());
        int full = (int) ((long) BAR * done / all);
        return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "] "
                + DecimalText.fixed(Math.floor(1000.0 * done / all) / 10, 1) + " %";
    }

    /** The number of tasks by state: {@code 5 of 7 done, 1 failed, 1 not run}. */
    public static String tasks(RunStatus status) {
        StringBuilder text = new StringBuilder(
                Rounded.count(status.tasks(TaskState.DONE)) + " of " + Rounded.count(status.size()) + " done");
        boolean runEnded = status.state().isFinished();
        int notRun = 0;
        for (TaskState state : TaskState.values()) {
            boolean ended = state == TaskState.FAILED || state == TaskState.SKIPPED;
            if (runEnded && !ended && state != TaskState.DONE) {
                notRun += status.tasks(state);
            } else if (state != TaskState.DONE && status.tasks(state) > 0) {
                String word = state.name().toLowerCase(Locale.ROOT);
                text.append(", " + Rounded.count(status.tasks(state)) + " " + word);
            }
        }
        return text + (notRun == 0 ? "" : ", " + Rounded.count(notRun) + " not run");
    }

    /** The maximum number of nodes of a job, and what each has: {@code 4 of 2 cores, 8G of memory}. */
    public static String nodes(RunSpec spec) {
        Resources node = spec.node();
        String text = spec.nodes() + " of " + node.cores() + (node.cores() == 1 ? " core, " : " cores, ")
                + SizeText.rounded(node.memory()) + " of memory";
        return text + (node.gpus() == 0 ? "" : ", " + GpuText.text(node) + " GPUs");
    }

    /** A table of the queued and running pilot jobs; empty if there are none. */
    public static List<String> pilotJobs(RunStatus status) {
        StringWriter text = new StringWriter();
        if (!status.pilotJobs().isEmpty()) {
            pilotJobFigures(status).table(new PrintWriter(text), status.pilotJobs());
        }
        return text.toString().lines().toList();
    }

    private static Fields<RunStatus.Waiting> pilotJobFigures(RunStatus status) {
        long now = status.at();
        return new Fields<RunStatus.Waiting>()
                .count("pilot job", "token", RunStatus.Waiting::token)
                .right("nodes", p -> Rounded.count(p.nodes()) + (p.pool().isEmpty() ? "" : " in " + p.pool()))
                .count("nodes", RunStatus.Waiting::nodes)
                .time("walltime", "walltimeSeconds", RunStatus.Waiting::walltime)
                .text("state", "state", p -> p.ending() ? "ending" : p.hasStarted() ? "running" : "queued")
                .right("for", p -> Rounded.time(Math.max(0, now - (p.hasStarted() ? p.started() : p.submitted()))))
                .right("estimate", p -> estimate(p, now))
                .right("tasks running", p -> Rounded.count(p.running()))
                .text("tasks", "claim", RunStatus.Waiting::claim)
                .count("running", RunStatus.Waiting::running)
                .field((out, p) -> {
                    out.optional("pool", p.pool());
                    JobFigures.instant(out, "submittedSeconds", p.submitted(), status.begun());
                    JobFigures.instant(out, "expectedStartSeconds", p.expectedStart(), status.begun());
                    JobFigures.instant(out, "startSeconds", p.started(), status.begun());
                    JobFigures.instant(out, "latestEndSeconds", p.endsAt(), status.begun());
                });
    }

    private static String estimate(RunStatus.Waiting p, long now) {
        if (p.ending()) {
            return "";
        }
        if (p.hasStarted()) {
            return distance("end", p.endsAt(), now);
        }
        return p.expectedStart() == JobRecord.NEVER ? "unknown" : distance("start", p.expectedStart(), now);
    }

    private static String distance(String event, long at, long now) {
        return at >= now ? event + "s " + distance(at, now) : event + " is " + Rounded.time(now - at) + " late";
    }

    private static String distance(long at, long now) {
        return at >= now ? "in " + Rounded.time(at - now) : Rounded.time(now - at) + " ago";
    }

    /**
     * Writes the fields into an open object.
     *
     * @param owner the manager's process; null if there is none
     * @param energy null if no power is configured
     */
    public static void fields(
            JsonOut out,
            RecordedRun run,
            RunStatus status,
            RunRecord record,
            @Nullable String owner,
            @Nullable EnergyEstimate energy) {
        out.field("folder", run.folder().toString())
                .field("workflow", run.workflow().name())
                .field("strategy", run.spec().strategy())
                .field("state", status.state().word())
                .optional("why", status.why());
        if (owner != null && !status.state().isFinished()) {
            // 'inCharge' and 'placeholders' are the names of earlier versions.
            out.field("manager", owner).field("inCharge", owner);
        }
        out.seconds("elapsedSeconds", (status.at() - status.begun()) * 1000);
        if (status.state().isFinished()) {
            out.seconds("makespanSeconds", record.makespanMillis() * 1000);
        }
        JobFigures.instant(out, "expectedEndSeconds", status.expectedEnd(), status.begun());
        out.object("tasks");
        for (TaskState state : TaskState.values()) {
            out.field(state.name().toLowerCase(Locale.ROOT), status.tasks(state));
        }
        out.end().texts("failedTasks", status.failed());
        avoided(out, status);
        NODE_HOURS.fields(out, record);
        if (energy != null) {
            out.decimal("energyEstimateKilowattHours", energy.kilowattHours(), 6);
        }
        if (run.spec().node().countsMemory()) {
            out.field("memoryPerNodeBytes", run.spec().node().memory());
        }
        Fields<RunStatus.Waiting> figures = pilotJobFigures(status);
        figures.array(out, "pilotJobs", status.pilotJobs());
        figures.array(out, "placeholders", status.pilotJobs());
    }

    private static final Fields<AvoidedNode> AVOIDED = new Fields<AvoidedNode>()
            .text("node", "node", AvoidedNode::host)
            .text("reason", "why", AvoidedNode::reason);

    private static final Fields<RunRecord> NODE_HOURS = new Fields<RunRecord>()
            .nodeHours("nodeHoursUsed", 4, RunRecord::usedNodeMillis)
            .nodeHours("nodeHoursHeld", 4, RunRecord::allocatedNodeMillis);
}
