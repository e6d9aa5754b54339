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
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long LOOK_MILLIS = 200;

    @Mixin
    RunChoice choice = new RunChoice();

    @Mixin
    ManagerOptions charge = new ManagerOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = choice.folder(session());
        RecordedRun run = RecordedRun.open(folder);
        RunState before = run.status(0).state();
        if (before.isFinished()) {
            return tell(folder, before, "has already ended: " + before.word());
        }
        new Requests(folder).cancel();
        long from = System.nanoTime();
        while (!charge.takeOver && run.leaseHolder() != null) {
            if (System.nanoTime() - from > PATIENCE_NANOS) {
                session()
                        .note(
                                run.leaseHolder()
                                        + " has not cancelled the run within a minute. If that process no longer exists, use --take-over");
                return ExitStatus.INTERRUPTED;
            }
            Thread.sleep(LOOK_MILLIS);
            run = RecordedRun.open(folder);
            if (run.status(0).state().isFinished()) {
                return tell(folder, run.status(0).state());
            }
        }
        return tell(folder, end(folder));
    }

    /** Takes over the lease and cancels the run. */
    private RunState end(Path folder) throws IOException, InterruptedException {
        WorkflowRun run = WorkflowRun.open(folder, RunSession.kit(session()));
        RunLines lines =
                new RunLines(run.workflow(), run::begunAt, run::now, session().err());
        RunLoop.Ending ending = run.play(
                lines, charge.charge(run.spec().where()), Clusters.of(run.spec().where(), session(), charge));
        return ending == RunLoop.Ending.OVER
                ? RecordedRun.open(folder).status(0).state()
                : RunState.INTERRUPTED;
    }

    private int tell(Path folder, RunState state) {
        // The run may have ended before the request arrived.
        return tell(folder, state, state == RunState.CANCELLED ? "is cancelled" : "has already ended: " + state.word());
    }

    private int tell(Path folder, RunState state, String words) {
        print(
                out -> out.field("folder", folder.toString()).field("state", state.word()),
                out -> out.println("run " + folder + " " + words));
        return state.isFinished() ? ExitStatus.DONE : ExitStatus.INTERRUPTED;
    }
}
