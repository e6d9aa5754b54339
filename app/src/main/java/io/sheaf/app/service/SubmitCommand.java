package io.sheaf.app.service;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.app.run.WorkDirOption;
import io.sheaf.formats.Deferred;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.ServiceClient;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code submit}. */
@Command(
        name = "submit",
        description = "Submit a workflow to a service and print its id.",
        footer = {
            "",
            "The submission is durable when the command returns. If the service is not running, the workflow starts with it.",
            "Example: sheaf submit examples/montage-mini.yaml --owner ann --priority 2"
        })
public final class SubmitCommand extends SheafCommand {
    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The workflow; its tasks must have commands.")
    String file = "";

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Mixin
    ServiceChoice service = new ServiceChoice();

    @Option(names = "--owner", paramLabel = "LABEL", description = "Owner of the workflow (default: the user name).")
    @Nullable
    String owner;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = "Priority; higher priorities run first (default: ${DEFAULT-VALUE}).")
    int priority;

    @Mixin
    WorkDirOption workDir = new WorkDirOption();

    @Override
    public Integer call() throws IOException {
        Path folder = service.folder(session());
        ServiceClient submissions = new ServiceClient(folder);
        List<Deferred> deferred = new ArrayList<>();
        Workflow workflow = reading.read(file, null, Set.of(), deferred);
        if (!deferred.isEmpty()) {
            throw new InputException("a service does not support groups over files that a task writes ('"
                            + deferred.get(0).group() + "'); run it with 'sheaf run'")
                    .in(file);
        }
        RecordedRun run = RecordedRun.open(folder);
        if (!run.history().manager().isOpen() && run.history().begunAt() != 0) {
            throw new InputException("the service accepts no more workflows: it is being drained or has ended")
                    .in(folder.toString());
        }
        String id = submissions.submit(
                workflow,
                owner != null ? owner : System.getProperty("user.name"),
                priority,
                workDir.folder(session(), file),
                Clusters.of(run.spec().where(), session(), new ManagerOptions()));
        String holder = run.leaseHolder();
        print(
                out -> out.field("id", id)
                        .field("folder", folder.toString())
                        .field("tasks", workflow.size())
                        .field("attended", holder != null),
                out -> out.println(id));
        if (!json && holder == null && !ShadowService.isIn(folder)) {
            note("no manager is running for this service; the workflow starts after: sheaf serve" + " --state "
                    + folder);
        }
        return ExitStatus.DONE;
    }
}
