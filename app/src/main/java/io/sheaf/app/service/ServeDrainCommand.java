package io.sheaf.app.service;

import io.sheaf.app.cli.ExitStatus;
import io.sheaf.app.cli.SheafCommand;
import io.sheaf.runtime.run.ServiceClient;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code serve drain}. */
@Command(
        name = "drain",
        description = "Drain a service: accept no more workflows and stop when all are done.",
        footer = {
            "",
            "To stop it immediately: sheaf cancel DIR",
            "Example: sheaf serve drain --state sheaf-runs/service"
        })
final class ServeDrainCommand extends SheafCommand {
    @Mixin
    ServiceChoice service = new ServiceChoice();

    @Override
    public Integer call() throws IOException {
        Path folder = service.folder(session());
        new ServiceClient(folder).drain();
        print(
                out -> out.field("folder", folder.toString()).field("asked", "drain"),
                out -> out.println("service " + folder + " accepts no more workflows"));
        return ExitStatus.DONE;
    }
}
