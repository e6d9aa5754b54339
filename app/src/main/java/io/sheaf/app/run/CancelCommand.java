package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunState;
import io.sheaf.runtime.run.Requests;
import io.sheaf.runtime.run.RunLoop;
import io.sheaf.runtime.run.WorkflowRun;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code cancel}. */
@Command(
        name = "cancel",
        description = "Cancel a run: cancel its queued jobs and stop its running tasks.",
        footer = {
            "",
            "The run's manager does this, or this command if no manager is running. Files written by tasks are kept.",
            "Example: sheaf cancel sheaf-runs/montage-mini-20261115-120000"
        })
public final class CancelCommand extends SheafCommand {
    private static final long TIMEOUT_NANOS = 60_000_000_000L;
    private static final long POLL_MILLIS = 200;

    @Mixin
    RunChoice choice = new RunChoice();

    @Mixin
    ManagerOptions managerOptions = new ManagerOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = choice.folder(session());
        RecordedRun run = RecordedRun.open(folder);
        RunState before = run.status(0).state();
        if (before.isFinished()) {
            return printState(folder, before, "has already ended: " + before.word());
        }
        new Requests(folder).cancel();
        long from = System.nanoTime();
        while (!managerOptions.takeOver && run.leaseHolder() != null) {
            if (System.nanoTime() - from > TIMEOUT_NANOS) {
                note(
                        run.leaseHolder()
                                + " has not cancelled the run within a minute. If that process no longer exists, use --take-over");
                return ExitStatus.INTERRUPTED;
            }
            Thread.sleep(POLL_MILLIS);
            run = RecordedRun.open(folder);
            if (run.status(0).state().isFinished()) {
                return printState(folder, run.status(0).state());
            }
        }
        return printState(folder, end(folder));
    }

    /** Takes over the lease and cancels the run. */
    private RunState end(Path folder) throws IOException, InterruptedException {
        WorkflowRun run = WorkflowRun.open(folder, RunSession.agentFiles(session()));
        RunLines lines =
                new RunLines(run.workflow(), run::begunAt, run::now, session().err());
        RunLoop.Ending ending = run.execute(
                lines,
                managerOptions.lease(run.spec().where()),
                Clusters.of(run.spec().where(), session(), managerOptions));
        return ending == RunLoop.Ending.ENDED
                ? RecordedRun.open(folder).status(0).state()
                : RunState.INTERRUPTED;
    }

    private int printState(Path folder, RunState state) {
        // The run may have ended before the request arrived.
        return printState(
                folder, state, state == RunState.CANCELLED ? "is cancelled" : "has already ended: " + state.word());
    }

    private int printState(Path folder, RunState state, String text) {
        print(
                out -> out.field("folder", folder.toString()).field("state", state.word()),
                out -> out.println("run " + folder + " " + text));
        return state.isFinished() ? ExitStatus.DONE : ExitStatus.INTERRUPTED;
    }
}
