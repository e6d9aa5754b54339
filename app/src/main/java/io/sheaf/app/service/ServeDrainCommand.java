package io.sheaf.app.service;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.JsonOut;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.runtime.run.ServiceClient;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a service end when all that was handed in is done. */
@Command(
        name = "drain",
        description = "Takes no more workflows: the service ends when all that were handed in are done.",
        footer = {"", "To end it at once: sheaf cancel DIR", "Example: sheaf serve drain --state sheaf-runs/service"})
final class ServeDrainCommand extends SheafCommand {
    @Mixin
    ServiceChoice service = new ServiceChoice();

    @Override
    public Integer call() throws IOException {
        Path folder = service.folder(session());
        new ServiceClient(folder).drain();
        if (json) {
            try (JsonOut out = new JsonOut(session().out())) {
                out.object()
                        .field("folder", folder.toString())
                        .field("asked", "drain")
                        .end();
            }
        } else {
            session().out().println("service " + folder + " takes no more workflows");
        }
        return ExitStatus.DONE;
    }
}
