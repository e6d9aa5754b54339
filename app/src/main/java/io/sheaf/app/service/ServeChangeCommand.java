package io.sheaf.app.service;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.app.cli.UsageException;
import io.sheaf.runtime.recorded.RecordedRun;
import io.sheaf.runtime.run.ServiceClient;
import io.sheaf.text.InputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A control request for workflows of a service, given by id or {@code --all}. */
abstract class ServeChangeCommand extends SheafCommand {
    @Parameters(paramLabel = "ID", arity = "0..*", description = "Workflow ids printed by 'sheaf submit'.")
    List<String> ids = new ArrayList<>();

    @Option(names = "--all", description = "All active workflows.")
    boolean all;

    @Mixin
    ServiceChoice service = new ServiceChoice();

    /** Writes the request for one workflow. */
    abstract void send(ServiceClient submissions, String id) throws IOException;

    @Override
    public Integer call() throws IOException {
        UsageException.unless(all == ids.isEmpty(), "give workflow ids, or --all");
        Path folder = service.folder(session());
        ServiceClient submissions = new ServiceClient(folder);
        RecordedRun run = RecordedRun.open(folder);
        Roster roster = Roster.of(run);
        List<String> workflows = all
                ? roster.entries().stream()
                        .filter(entry -> !entry.isFinished())
                        .map(Roster.RosterEntry::id)
                        .toList()
                : ids;
        for (String id : workflows) {
            submissions.refuseUnknown(id, run.history().forest());
            Roster.RosterEntry entry = roster.find(id);
            if (entry != null && entry.isFinished()) {
                throw new InputException("workflow '" + id + "' has already ended: " + entry.state());
            }
        }
        for (String id : workflows) {
            send(submissions, id);
        }
        print(
                out -> out.texts("asked", workflows),
                out -> out.println(
                        workflows.isEmpty()
                                ? "no workflow is active"
                                : "requested for: " + String.join(" ", workflows)));
        return ExitStatus.DONE;
    }

    /** The command {@code serve cancel}. */
    @Command(
            name = "cancel",
            description = "Cancel workflows of a service: stop their running tasks and skip the rest.",
            footer = {"", "Example: sheaf serve cancel montage-mini-t4k2x9ab1c"})
    static final class Cancel extends ServeChangeCommand {
        @Override
        void send(ServiceClient submissions, String id) throws IOException {
            submissions.drop(id);
        }
    }

    /** The command {@code serve pause}. */
    @Command(
            name = "pause",
            description = "Pause workflows of a service: running tasks continue, no new tasks start.",
            footer = {"", "Example: sheaf serve pause montage-mini-t4k2x9ab1c"})
    static final class Pause extends ServeChangeCommand {
        @Override
        void send(ServiceClient submissions, String id) throws IOException {
            submissions.hold(id, true);
        }
    }

    /** The command {@code serve resume}. */
    @Command(
            name = "resume",
            description = "Resume paused workflows of a service.",
            footer = {"", "Example: sheaf serve resume montage-mini-t4k2x9ab1c"})
    static final class Resume extends ServeChangeCommand {
        @Override
        void send(ServiceClient submissions, String id) throws IOException {
            submissions.hold(id, false);
        }
    }
}
