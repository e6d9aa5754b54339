package io.sheaf.app.service;

import io.sheaf.runtime.run.ServiceClient;
import java.io.IOException;
import picocli.CommandLine.Command;

/** The command {@code serve pause}. */
@Command(
        name = "pause",
        description = "Pause workflows of a service: running tasks continue, no new tasks start.",
        footer = {"", "Example: sheaf serve pause montage-mini-t4k2x9ab1c"})
final class ServePauseCommand extends ServeChangeCommand {
    @Override
    void ask(ServiceClient service, String id) throws IOException {
        service.hold(id, true);
    }
}
