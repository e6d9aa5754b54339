package io.sheaf.app.service;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.ReadOptions;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.run.Clusters;
import io.sheaf.app.run.ManagerOptions;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.ServiceClient;
import io.sheaf.text.InputException;
import io.sheaf.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Hands a workflow to a service. */
@Command(
        name = "submit",
        description = "Hands a workflow to a service, which runs it beside others; prints its id.",
        footer = {
            "",
            "The workflow is on disk when the command returns. If no service is up, it is taken when the next one starts.",
            "Example: sheaf submit examples/montage-mini.yaml --owner ann --priority 2"
        })
public final class SubmitCommand extends SheafCommand {
    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The workflow; its tasks need commands.")
    String file = "";

    @Mixin
    ReadOptions reading = new ReadOptions();

    @Mixin
    ServiceChoice service = new ServiceChoice();

    @Option(names = "--owner", paramLabel = "LABEL", description = "Whose it is (the user's name).")
    @Nullable
    String owner;

    @Option(
            names = "--priority",
            paramLabel = "N",
            defaultValue = "0",
            description = "What is higher goes before everything lower (${DEFAULT-VALUE}).")
    int priority;

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description = "Where tasks run; by default the workflow's folder.")
    @Nullable
    String workDir;

    @Mixin
    ManagerOptions charge = new ManagerOptions();

    @Override
    public Integer call() throws IOException {
        Path folder = service.folder(session());
        ServiceClient submissions = new ServiceClient(folder);
        Workflow workflow = reading.read(file);
        RecordedRun run = RecordedRun.open(folder);
        if (!run.history().manager().isOpen() && run.history().begunAt() != 0) {
            throw new InputException("the service takes no more workflows: it is being drained, or over")
                    .in(folder.toString());
        }
        String id = submissions.submit(
                workflow,
                owner != null ? owner : System.getProperty("user.name"),
                priority,
                workFolder(),
                Clusters.of(run.spec().where(), session(), charge));
        String inCharge = run.inCharge();
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object()
                        .field("id", id)
                        .field("folder", folder.toString())
                        .field("tasks", workflow.size())
                        .field("attended", inCharge != null)
                        .end();
            }
        } else {
            session().out().println(id);
            if (inCharge == null) {
                session()
                        .err()
                        .println("sheaf: no process is in charge of the service; it is taken when one is: sheaf serve"
                                + " --state " + folder);
            }
        }
        return ExitStatus.DONE;
    }

    private Path workFolder() {
        Path here = session().folder().toAbsolutePath();
        if (workDir != null) {
            return here.resolve(workDir).normalize();
        }
        Path parent = file.equals("-") ? null : here.resolve(file).normalize().getParent();
        return parent == null ? here : parent;
    }
}
