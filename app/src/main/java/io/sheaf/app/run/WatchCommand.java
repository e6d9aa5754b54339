package io.sheaf.app.run;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.ShutdownHook;
import io.sheaf.app.report.StatusReport;
import io.sheaf.manager.TaskState;
import io.sheaf.report.RunRecord;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.recorded.RunStatus;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code watch}. */
@Command(
        name = "watch",
        description = "Follow a run until it ends: a full-screen view on a terminal, lines otherwise.",
        footer = {
            "",
            "Ctrl-C stops watching, not the run. Exit status: that of the run; 5 if no manager is running.",
            "Example: sheaf watch sheaf-runs/montage-mini-20261115-120000"
        })
public final class WatchCommand extends SheafCommand {
    private static final int KEPT = 200;
    private static final long MIN_MILLIS = 500;
    /** Reading uses at most about one part in this number of the time. */
    private static final int SHARE = 5;

    private static final long QUERY_NANOS = 10_000_000_000L;

    /** When to ask next whether a manager job exists. */
    private long nextQueryNanos = System.nanoTime();

    /** Why the run has no manager job, by the last answer: a job that hands over is missing for a moment. */
    private @Nullable String lost;

    @Mixin
    RunChoice choice = new RunChoice();

    @Mixin
    ViewOptions view = new ViewOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        RecordedRun run = RecordedRun.open(choice.folder(session()));
        RunStatus last;
        if (view.isScreen(session())) {
            LastLines messages = new LastLines(KEPT);
            try (Terminal terminal = new Terminal(session().err())) {
                ShutdownHook hook = new ShutdownHook("terminal", terminal::close);
                try (hook) {
                    last = follow(run, new PrintWriter(messages), terminal, messages);
                }
            }
        } else {
            last = follow(run, json ? session().err() : session().out(), null, new LastLines(0));
        }
        RunRecord record = run.record(last.at());
        print(
                out -> out.field("folder", run.folder().toString())
                        .field("state", last.state().word()),
                out -> StatusReport.head(last, record).forEach(out::println));
        return status(last);
    }

    /** Follows the run until it has ended, or has no manager and none is queued; returns the last status. */
    private RunStatus follow(RecordedRun run, PrintWriter to, @Nullable Terminal terminal, LastLines messages)
            throws IOException, InterruptedException {
        RunLines lines = new RunLines(run.workflow(), () -> run.history().begunAt(), run::now, to).watching();
        RunStatus first = run.status(run.now());
        if (first.state().isFinished()) {
            return first;
        }
        lines.begins(run.history().manager());
        while (true) {
            long from = System.nanoTime();
            // Checked first, so that the last records of an ending process are read.
            boolean attended = run.leaseHolder() != null;
            run.readOn(lines);
            RunStatus status = run.status(run.now());
            if (status.state().isFinished() || (!attended && !isAwaited(run))) {
                return status;
            }
            if (terminal != null) {
                terminal.show(new RunScreen(run.folder().toString(), status, messages.lines()));
            }
            long took = (System.nanoTime() - from) / 1_000_000;
            Thread.sleep(Math.max(MIN_MILLIS, SHARE * took));
        }
    }

    /** Whether a run without a manager will get one; asks the batch system for its manager job from time to time. */
    private boolean isAwaited(RecordedRun run) throws InterruptedException {
        if (!UnattendedOptions.isAwaited(run.folder())) {
            return false;
        }
        if (System.nanoTime() - nextQueryNanos >= 0) {
            nextQueryNanos = System.nanoTime() + QUERY_NANOS;
            String before = lost;
            lost = UnattendedOptions.lost(run.folder(), run.spec(), session());
            if (lost != null && before != null) {
                note(lost);
                return false;
            }
        }
        return true;
    }

    private static int status(RunStatus last) {
        return switch (last.state()) {
            case DONE -> ExitStatus.DONE;
            case IDLE -> last.tasks(TaskState.FAILED) == 0 ? ExitStatus.DONE : ExitStatus.FAILED;
            case FAILED, CANCELLED -> ExitStatus.FAILED;
            default -> ExitStatus.INTERRUPTED;
        };
    }
}
