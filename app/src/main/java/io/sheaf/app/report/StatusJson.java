package io.sheaf.app.report;

import io.sheaf.app.cli.JsonOut;
import io.sheaf.manager.TaskState;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How far a run is, as fields of JSON; instants are counted from the run's beginning. */
public final class StatusJson {
    private static final double HOUR = 3_600_000;

    private StatusJson() {}

    /**
     * Writes the fields into an object that is open.
     *
     * @param owner the process in charge; null if there is none
     */
    public static void fields(
            JsonOut out, RecordedRun run, RunStatus status, RunRecord record, @Nullable String owner) {
        out.field("folder", run.folder().toString())
                .field("workflow", run.workflow().name())
                .field("strategy", run.spec().strategy())
                .field("state", status.state().word());
        if (!status.why().isEmpty()) {
            out.field("why", status.why());
        }
        if (owner != null && !status.state().isOver()) {
            out.field("inCharge", owner);
        }
        out.seconds("elapsedSeconds", (status.at() - status.begun()) * 1000);
        instant(out, "expectedEndSeconds", status.expectedEnd(), status);
        out.object("tasks");
        for (TaskState state : TaskState.values()) {
            out.field(state.name().toLowerCase(Locale.ROOT), status.tasks(state));
        }
        out.end()
                .decimal("nodeHoursUsed", record.usedNodeMillis() / HOUR, 4)
                .decimal("nodeHoursHeld", record.heldNodeMillis() / HOUR, 4)
                .array("placeholders");
        status.pilotJobs().forEach(p -> pilotJob(out, p, status));
        out.end();
    }

    private static void pilotJob(JsonOut out, RunStatus.Waiting p, RunStatus status) {
        out.object()
                .field("token", p.token())
                .field("nodes", p.nodes())
                .seconds("walltimeSeconds", p.walltime() * 1000)
                .field("state", p.ending() ? "ending" : p.hasStarted() ? "running" : "queued")
                .field("claim", p.claim())
                .field("running", p.running());
        instant(out, "submittedSeconds", p.submitted(), status);
        instant(out, "expectedStartSeconds", p.expectedStart(), status);
        instant(out, "startSeconds", p.started(), status);
        instant(out, "latestEndSeconds", p.endsAt(), status);
        out.end();
    }

    /** An instant, counted from the run's beginning; nothing where there is none. */
    private static void instant(JsonOut out, String name, long at, RunStatus status) {
        if (at != Job.NEVER) {
            out.seconds(name, (at - status.begun()) * 1000);
        }
    }
}
