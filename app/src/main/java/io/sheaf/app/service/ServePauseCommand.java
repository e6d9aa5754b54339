package io.sheaf.app.service;

import io.sheaf.runtime.run.ServiceClient;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Holds workflows of a service back. */
@Command(
        name = "pause",
        description = "Holds workflows of a service back: what runs goes on, nothing more of them is started.",
        footer = {"", "Example: sheaf serve pause montage-mini-t4k2x9ab1c"})
final class ServePauseCommand extends ServeChangeCommand {
    @Override
    void ask(ServiceClient service, String id) throws IOException {
        service.hold(id, true);
    }
}
