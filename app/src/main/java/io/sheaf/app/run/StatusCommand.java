package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.Fields;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.report.EnergyEstimate;
import io.sheaf.app.report.StatusReport;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code status}. */
@Command(
        name = "status",
        description = "Show a run's status: pilot jobs, tasks, expected end.",
        footer = {
            "",
            "Reads only the run's folder; works during a run, after an interruption and after the end.",
            "Example: sheaf status sheaf-runs/montage-mini-20261115-120000"
        })
public final class StatusCommand extends SheafCommand {
    @Mixin
    RunChoice choice = new RunChoice();

    @Override
    public Integer call() throws IOException, InterruptedException {
        RecordedRun run = RecordedRun.open(choice.folder(session()));
        RunStatus status = run.status(run.now());
        RunRecord record = run.record(run.now());
        String owner = status.state().isFinished() ? null : run.leaseHolder();
        String lost = owner != null || status.state().isFinished() || !UnattendedOptions.isAwaited(run.folder())
                ? null
                : UnattendedOptions.lost(run.folder(), run.spec(), session());
        EnergyEstimate energy =
                EnergyEstimate.of(record, run.history().results(), session().configuration());
        print(out -> StatusReport.fields(out, run, status, record, owner, energy), out -> {
            out.println(Fields.line("run", run.folder().toString()));
            StatusReport.head(status, record).forEach(out::println);
            if (run.spec().node().countsMemory()) {
                out.println(Fields.line("nodes", StatusReport.nodes(run.spec())));
            }
            out.println(Fields.line("node-hours", StatusReport.nodeHours(record)));
            if (energy != null) {
                out.println(Fields.line("energy (estimate)", energy.text()));
            }
            if (owner != null) {
                out.println(Fields.line("manager", owner));
            } else if (!status.state().isFinished()) {
                if (lost != null) {
                    out.println(Fields.line("manager", lost));
                }
                out.println(Fields.line("to continue", "sheaf resume " + run.folder()));
            }
            if (!status.pilotJobs().isEmpty()) {
                out.println();
                StatusReport.pilotJobs(status).forEach(out::println);
            }
        });
        return ExitStatus.DONE;
    }
}
