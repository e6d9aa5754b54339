package io.sheaf.app;

import io.sheaf.manager.TaskState;
import io.sheaf.report.Job;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.RunStatus;
import io.sheaf.runtime.local.RecordedRun;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells how far a run is. */
@Command(
        name = "status",
        description = "Tells how far a run is: its placeholders, its tasks, and when it is expected to end.",
        footer = {
            "",
            "It looks at the run's folder only: it works while the run goes on, when it was interrupted, and when it is over.",
            "Example: sheaf status sheaf-runs/montage-mini-20261115-120000"
        })
final class StatusCommand extends SheafCommand {
    private static final double HOUR = 3_600_000;

    @Mixin
    RunChoice choice = new RunChoice();

    @Override
    public Integer call() throws IOException {
        RecordedRun run = RecordedRun.open(choice.folder(session()));
        RunStatus status = run.status(run.now());
        if (json) {
            printJson(run, status);
        } else {
            print(run, status);
        }
        return ExitStatus.DONE;
    }

    private void print(RecordedRun run, RunStatus status) throws IOException {
        PrintWriter out = session().out();
        RunRecord record = run.record(run.now());
        out.println(StatusText.line("run", run.folder().toString()));
        StatusText.head(status).forEach(out::println);
        out.println(StatusText.line(
                "node-hours",
                Rounded.hours(record.usedNodeMillis()) + " used, "
                        + Rounded.hours(record.heldNodeMillis() - record.usedNodeMillis()) + " idle"));
        String owner = run.inCharge();
        if (owner != null && !status.state().isOver()) {
            out.println(StatusText.line("in charge", owner));
        } else if (!status.state().isOver()) {
            out.println(StatusText.line("go on with", "sheaf resume " + run.folder()));
        }
        if (!status.placeholders().isEmpty()) {
            out.println();
            StatusText.placeholders(status).forEach(out::println);
        }
    }

    private void printJson(RecordedRun run, RunStatus status) throws IOException {
        RunRecord record = run.record(run.now());
        String owner = run.inCharge();
        try (JsonOut out = new JsonOut(session().out())) {
            out.object()
                    .field("folder", run.folder().toString())
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
            status.placeholders().forEach(p -> placeholder(out, p, status));
            out.end().end();
        }
    }

    private static void placeholder(JsonOut out, RunStatus.Waiting p, RunStatus status) {
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
