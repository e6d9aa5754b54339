package io.sheaf.app.service;

import io.sheaf.runtime.run.ServiceClient;
import java.io.IOException;
import picocli.CommandLine.Command;

/** The command {@code serve resume}. */
@Command(
        name = "resume",
        description = "Resume paused workflows of a service.",
        footer = {"", "Example: sheaf serve resume montage-mini-t4k2x9ab1c"})
final class ServeResumeCommand extends ServeChangeCommand {
    @Override
    void ask(ServiceClient service, String id) throws IOException {
        service.hold(id, false);
    }
}
