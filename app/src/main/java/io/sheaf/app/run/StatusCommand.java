package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.report.StatusJson;
import io.sheaf.app.report.StatusText;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import io.sheaf.text.Rounded;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tells how far a run is. */
@Command(
        name = "status",
        description = "Tells how far a run is: its pilot jobs, its tasks, and when it is expected to end.",
        footer = {
            "",
            "It looks at the run's folder only: it works while the run goes on, when it was interrupted, and when it is over.",
            "Example: sheaf status sheaf-runs/montage-mini-20261115-120000"
        })
public final class StatusCommand extends SheafCommand {
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
        if (!status.pilotJobs().isEmpty()) {
            out.println();
            StatusText.pilotJobs(status).forEach(out::println);
        }
    }

    private void printJson(RecordedRun run, RunStatus status) throws IOException {
        RunRecord record = run.record(run.now());
        String owner = run.inCharge();
        try (JsonOut out = new JsonOut(session().out())) {
            out.object();
            StatusJson.fields(out, run, status, record, owner);
            out.end();
        }
    }
}
