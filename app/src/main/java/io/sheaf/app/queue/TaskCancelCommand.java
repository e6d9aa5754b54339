package io.sheaf.app.queue;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.runtime.queue.TaskQueue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code task-cancel}. */
@Command(
        name = "task-cancel",
        description = "Cancel tasks submitted by submit-task, and the tasks that depend on them.",
        footer = {"", "Example: sheaf task-cancel 5f0c9d2a77b1e604 09be51c3d4a2f817"})
public final class TaskCancelCommand extends SheafCommand {
    @Parameters(arity = "0..*", paramLabel = "ID", description = "Task ids printed by submit-task.")
    List<String> ids = List.of();

    @Option(
            names = "--submitted-by",
            paramLabel = "PID",
            description = "Cancel all tasks that a running program has submitted, given by its process id.")
    private @Nullable Long submitter;

    @Mixin
    QueueOptions queues = new QueueOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        UsageException.unless(ids.isEmpty() != (submitter == null), "expected task ids, or --submitted-by PID");
        TaskQueue queue = queues.existing(session());
        List<String> unfinished = new ArrayList<>();
        for (String id : submitter == null ? ids : queue.inbox().submittedBy(submitter)) {
            if (!queue.report(id).phase().isFinished()) {
                unfinished.add(id);
            }
        }
        for (String id : unfinished) {
            queue.drop(id);
        }
        if (!unfinished.isEmpty()) {
            new QueueManager(queue, session()).ensure(QueueManager.IDLE);
        }
        print(out -> out.field("cancelled", unfinished.size()), out -> {});
        return ExitStatus.DONE;
    }
}
