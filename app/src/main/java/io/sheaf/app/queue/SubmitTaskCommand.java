package io.sheaf.app.queue;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.OptionText;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.RunCommand;
import io.sheaf.runtime.control.ControlRequest;
import io.sheaf.runtime.control.SingleTask;
import io.sheaf.runtime.queue.TaskQueue;
import io.sheaf.runtime.run.LeaseOwner;
import io.sheaf.runtime.spec.RunSpec;
import io.sheaf.text.CoresText;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code submit-task}. */
@picocli.CommandLine.Command(
        name = "submit-task",
        description = "Submit a single task, like sbatch submits a job, and print its id.",
        footer = {
            "",
            "Tasks are packed into pilot jobs, like the tasks of a workflow.",
            "Options about the cluster take effect when the first task creates the queue.",
            "A background manager runs the tasks and stops when the queue is empty.",
            "Example: sheaf submit-task --cores 2 --time 10m -- ./align.sh liver"
        })
public final class SubmitTaskCommand extends SheafCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "SCRIPT",
            description =
                    "After --: the command or script to run, with its arguments. A script is copied at submission.")
    List<String> command = new ArrayList<>();

    @Option(names = "--after", arity = "0..*", paramLabel = "ID", description = "Ids of tasks that must succeed first.")
    List<String> after = new ArrayList<>();

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "Cores per node (default: ${DEFAULT-VALUE}); a fraction such as 0.5 shares a core.")
    String cores = "1";

    @Option(names = "--mem", paramLabel = "SIZE", description = "Memory per node, e.g. 4G.")
    private @Nullable String memory;

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs per node (default: ${DEFAULT-VALUE}).")
    int gpus;

    @Option(names = "--task-nodes", paramLabel = "N", description = "Number of nodes (default: ${DEFAULT-VALUE}).")
    int taskNodes = 1;

    @Option(names = "--time", paramLabel = "TIME", description = "Expected run time (default: ${DEFAULT-VALUE}).")
    String time = "10m";

    @Option(
            names = "--category",
            paramLabel = "NAME",
            description = "Category; tasks of a category are expected to behave alike (default: ${DEFAULT-VALUE}).")
    String category = "task";

    @Option(
            names = "--retries",
            paramLabel = "N",
            description = "Number of retries after a failure (default: ${DEFAULT-VALUE}).")
    int retries;

    @Mixin
    QueueOptions queues = new QueueOptions();

    @Mixin
    NewQueueOptions queueOptions = new NewQueueOptions();

    /** Set for the manager process. */
    @Option(names = "--run-manager", hidden = true)
    boolean manages;

    /** Set during the warm-up, which starts no manager. */
    @Option(names = "--no-manager", hidden = true)
    boolean noManager;

    private volatile boolean isPrinted;

    @Override
    public Integer call() throws IOException, InterruptedException {
        TaskQueue queue = queues.queue(session());
        QueueManager manager = new QueueManager(queue, session());
        queueOptions.check();
        CoresText.millicores(cores);
        if (manages) {
            return manager.execute(queueOptions.idle, queueOptions.managerOptions);
        }
        RunSpec spec = queueOptions.spec(queue, session());
        check(spec, queue);
        String id = RunCommand.newId();
        queue.put(task(id, queue));
        if (noManager && !LeaseOwner.isAttended(queue.run())) {
            printId(id);
            return ExitStatus.DONE;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> cancel(queue, id), "interrupt"));
        manager.ensure(queueOptions.idle);
        printId(id);
        session().out().flush();
        isPrinted = true;
        return ExitStatus.DONE;
    }

    /** Cancels the task if the command was interrupted or failed before it printed the task's id. */
    private void cancel(TaskQueue queue, String id) {
        if (isPrinted) {
            return;
        }
        try {
            queue.drop(id);
        } catch (IOException e) {
            note("task " + id + " was submitted and cannot be cancelled: " + e.getMessage());
        }
    }

    private void printId(String id) {
        print(out -> out.field("id", id), out -> out.println(id));
    }

    /** Rejects tasks that could never run, and dependencies on unknown tasks. */
    private void check(RunSpec spec, TaskQueue queue) throws IOException {
        UsageException.unless(gpus >= 0 && taskNodes >= 1 && retries >= 0, "--task-nodes: must be at least 1");
        long millicores = CoresText.millicores(cores);
        if (millicores < CoresText.CORE && taskNodes > 1) {
            throw new InputException(
                    "--cores " + cores + ": a task of " + taskNodes + " nodes needs whole cores; use e.g. --cores 1");
        }
        String excess = Clusters.unavailable(needs(), spec);
        if (excess != null) {
            throw new InputException("the task needs " + excess
                    + ", in another queue (--queue): the first task of a queue fixes its nodes");
        }
        for (String id : after) {
            queue.report(id);
        }
    }

    private Resources needs() {
        return Resources.of(
                CoresText.millicores(cores), memory == null ? 0 : OptionText.bytes("--mem", memory), gpus, taskNodes);
    }

    private ControlRequest.Submit task(String id, TaskQueue queue) throws IOException {
        String folder = session().folder().toAbsolutePath().normalize().toString();
        long micros = OptionText.micros("--time", time);
        List<String> words = words(id, queue);
        return new SingleTask(id, folder, category, needs(), micros, SingleTask.NO_LIMIT, retries, after, words)
                .request();
    }

    /** The command to run; a script is copied, so that it may change after submission. */
    private List<String> words(String id, TaskQueue queue) throws IOException {
        Path script = session().folder().toAbsolutePath().resolve(command.get(0));
        if (command.get(0).indexOf('/') < 0 && !Files.exists(script)) {
            return command;
        }
        if (!Files.isRegularFile(script)) {
            throw new InputException("no such script").in(script.toString());
        }
        Path copy = queue.script(id);
        Files.copy(script, copy, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        List<String> words = new ArrayList<>(List.of(copy.toString()));
        words.addAll(command.subList(1, command.size()));
        return words;
    }
}
