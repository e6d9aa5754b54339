package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.runtime.run.Requests;
import io.sheaf.runtime.run.WorkflowRun;
import io.sheaf.runtime.spec.Service;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code resume}. */
@Command(
        name = "resume",
        description = "Resume an interrupted or paused run.",
        footer = {"", "Example: sheaf resume sheaf-runs/montage-mini-20261115-120000"})
public final class ResumeCommand extends SheafCommand {
    @Mixin
    RunChoice choice = new RunChoice();

    @Mixin
    ViewOptions view = new ViewOptions();

    @Mixin
    ManagerOptions managerOptions = new ManagerOptions();

    @Mixin
    UnattendedOptions unattended = new UnattendedOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path path = choice.folder(session());
        RecordedRun before = RecordedRun.open(path);
        RunState state = before.status(0).state();
        if (state.isFinished()) {
            boolean isPart = state != RunState.DONE && Service.of(path) == null;
            note("the run has already ended: " + state.word()
                    + (isPart ? "; 'sheaf run' with its workflow starts a run of the other tasks" : ""));
            print(out -> out.field("folder", path.toString()).field("state", state.word()), out -> {});
            return state == RunState.DONE ? ExitStatus.DONE : ExitStatus.FAILED;
        }
        String owner = before.leaseHolder();
        if (owner != null && before.isAttended() && !managerOptions.takeOver && state == RunState.PAUSED) {
            new Requests(path).resume();
            note(owner + " manages this run; requested that it resumes it");
            return ExitStatus.DONE;
        }
        WorkflowRun run = WorkflowRun.open(path, RunSession.agentFiles(session()));
        if (unattended.isRequested()) {
            return unattended.startManager(path, run.spec(), session(), managerOptions);
        }
        RunSession runSession = new RunSession(run, path, session(), json, view.isScreen(session()));
        return unattended.execute(runSession, path, run.spec(), session(), managerOptions);
    }
}
