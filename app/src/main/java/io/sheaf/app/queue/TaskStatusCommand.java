package io.sheaf.app.queue;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.runtime.queue.TaskPhase;
import io.sheaf.runtime.queue.TaskQueue;
import io.sheaf.runtime.queue.TaskReport;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code task-status}. */
@Command(
        name = "task-status",
        description = "Show the state of tasks submitted by submit-task: running, success or failed.",
        footer = {
            "",
            "These are Snakemake's states: a waiting task counts as running (--json prints the exact state).",
            "Example: sheaf task-status 5f0c9d2a77b1e604"
        })
public final class TaskStatusCommand extends SheafCommand {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "Task ids printed by submit-task.")
    List<String> ids = List.of();

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description =
                    "If the task has not ended, wait up to TIME for a task of the queue to end. For tools such as"
                            + " Snakemake that query their tasks one by one and then pause: only the first query after a pause waits.")
    String wait = "";

    @Mixin
    QueueOptions queues = new QueueOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        TaskQueue queue = queues.existing(session());
        long wait = this.wait.isEmpty() ? 0 : OptionText.millis("--wait", this.wait);
        Map<String, TaskReport> reports = reports(queue);
        if (reports.values().stream().anyMatch(report -> !report.phase().isFinished())) {
            // Restarts the manager if it was killed.
            new QueueManager(queue, session()).ensure(QueueManager.IDLE);
            if (wait > 0) {
                for (String id : ids) {
                    queue.awaitEnd(id, wait);
                }
                reports.putAll(reports(queue));
            }
        }
        print(
                out -> out.objects("tasks", reports.entrySet(), each -> out.field("id", each.getKey())
                        .field("state", each.getValue().phase().word())
                        .field("why", each.getValue().why())),
                out -> reports.values().forEach(report -> out.println(word(report))));
        return ExitStatus.DONE;
    }

    private Map<String, TaskReport> reports(TaskQueue queue) throws IOException {
        Map<String, TaskReport> reports = new LinkedHashMap<>();
        for (String id : ids) {
            reports.put(id, queue.report(id));
        }
        return reports;
    }

    private static String word(TaskReport report) {
        return report.phase() == TaskPhase.WAITING
                ? TaskPhase.RUNNING.word()
                : report.phase().word();
    }
}
